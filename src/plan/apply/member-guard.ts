/** Keeps the members of classes: users leave a class only after all its adds, and not all of them unless that is allowed. */
import { getOrSet } from '../../core/maps.js';
import type { Step } from '../steps.js';

/** The class of a step that adds or removes a member; undefined for other steps. */
const classOf = ({ resource, before, after }: Step): string | undefined =>
  resource === 'members' ? JSON.stringify((after ?? before)?.classId) : undefined;

interface Change {
  /** Numbers of the steps that add a user to the class. */
  readonly adds: number[];
  /** IDs of the users who leave the class. */
  readonly leaving: Set<unknown>;
}

export type MemberGuard = ReturnType<typeof memberGuard>;

/**
 * @param mayEmpty whether all users of a class may leave it
 * @param isStepDone whether the step with a number was carried out
 */
export function memberGuard(steps: readonly Step[], mayEmpty: boolean, isStepDone: (step: number) => boolean) {
  const changes = new Map<string, Change>();
  for (const step of steps) {
    const key = classOf(step);
    if (key === undefined) continue;
    const { adds, leaving } = getOrSet(changes, key, () => ({ adds: [], leaving: new Set() }));
    if (step.verb === 'assign') adds.push(step.step);
    else leaving.add(step.before?.userId);
  }
  const changeOf = (step: Step): Change | undefined =>
    step.verb === 'unassign' ? changes.get(classOf(step) ?? '') : undefined;
  return {
    /** Numbers of the steps that must have ended before a step, because they add users to the class that it removes one from. */
    awaited: (step: Step): readonly number[] => changeOf(step)?.adds ?? [],

    /** Whether a step that the removal of a member waits for was not carried out. */
    lacksAdd: (step: Step): boolean => changeOf(step)?.adds.some((add) => !isStepDone(add)) === true,

    /** Whether a step is one of those that would leave a class empty. @param members IDs of its users now */
    wouldEmpty(step: Step, members: ReadonlySet<string>): boolean {
      const change = changeOf(step);
      if (change === undefined || change.adds.length > 0 || mayEmpty) return false;
      return [...members].every((id) => change.leaving.has(id));
    },
  };
}
