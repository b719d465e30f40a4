/** Plans the inverse of the steps in a receipt, as far as the service allows. */
import { isObject } from '../core/json.js';
import { grouped } from '../core/maps.js';
import type { Receipt, ReceiptStep } from './apply/receipt.js';
import type { Conflict, Fields, Planned, Step } from './steps.js';

type Inverse = Pick<Step, 'verb' | 'before' | 'after' | 'reversible'>;

const STAYS: Readonly<Record<string, string>> = {
  'create users': 'the service cannot remove a user',
  'create schools': 'the service cannot remove a school',
  'create publishers': 'the service cannot remove a publisher',
  'assign holders': 'the service cannot take a licence away',
  'delete classes': 'a deleted class cannot be brought back',
  'delete licenses': 'a deleted licence cannot be brought back: edu licenses create makes a new one',
  'cancel licenses': 'a cancelled licence cannot be brought back',
};

/** Replaces references to steps by IDs. */
function withIds(value: unknown, idOf: (step: number) => string | null): unknown {
  if (Array.isArray(value)) return value.map((one) => withIds(one, idOf));
  if (!isObject(value)) return value;
  const { step, ...rest } = value;
  const inner = Object.entries(rest).map(([name, part]) => [name, withIds(part, idOf)] as const);
  return Object.fromEntries(typeof step === 'number' ? [['id', idOf(step)], ...inner] : inner);
}

function inverseOf({ verb, resource, before, after, reversible }: ReceiptStep): Inverse | undefined {
  const swapped = { before: after, after: before, reversible: true };
  if (resource === 'members') return { verb: verb === 'assign' ? 'unassign' : 'assign', ...swapped };
  if (!reversible) return undefined;
  if (verb === 'update') return { verb, ...swapped };
  if (verb !== 'create') return undefined;
  const { name, subject } = after ?? {};
  const facts: Fields = resource === 'classes' ? { name, subject } : { name, numberOfActivations: 0 };
  return { verb: 'delete', before: facts, after: null, reversible: false };
}

const reasonOf = ({ verb, resource, outcome, error }: ReceiptStep): string => {
  if (outcome === 'unknown') return `its outcome is unknown: ${error ?? ''}`;
  return STAYS[`${verb} ${resource}`] ?? 'the service does not return all fields that the change replaced';
};

/** Plans the inverse of the steps that were done, in reverse order. */
export function planUndo({ steps }: Receipt): Omit<Planned, 'faults'> {
  const byNumber = new Map(steps.map((step) => [step.step, step]));
  const idOf = (step: number): string | null => byNumber.get(step)?.resultId ?? null;
  const undone = new Map<number, number>();
  const inverses: Step[] = [];
  const conflicts: Conflict[] = [];
  const neededBy = grouped(steps, ({ needs }) => needs.map(String));
  /** Whether an undo deletes a class, and thus its memberships. */
  const isGoing = (ref: unknown): boolean => {
    const made = isObject(ref) && typeof ref.step === 'number' ? byNumber.get(ref.step) : undefined;
    return made?.outcome === 'done' && made.resource === 'classes';
  };
  /** Licences that the plan both created and assigned. */
  const assigned = new Set(
    steps.flatMap(({ resource, outcome, after }) => {
      const license = resource === 'holders' && outcome === 'done' ? after?.license : undefined;
      return isObject(license) && typeof license.step === 'number' ? [license.step] : [];
    }),
  );
  for (const one of [...steps].reverse()) {
    const { step, resource, key, id, section, outcome, resultId } = one;
    if (outcome !== 'done' && outcome !== 'unknown') continue;
    const isInUse = assigned.has(step);
    const inverse = outcome === 'done' && !isInUse ? inverseOf(one) : undefined;
    if (inverse === undefined) {
      const why = isInUse
        ? 'it was assigned, so the service cannot delete it: edu licenses cancel ends it'
        : reasonOf(one);
      conflicts.push({ verb: 'none', resource, key, id: id ?? resultId, section, why });
      continue;
    }
    if (resource === 'members' && isGoing(one.after?.class)) continue;
    const number = inverses.length + 1;
    undone.set(step, number);
    const needs = (neededBy.get(`${step}`) ?? [])
      .flatMap((later) => undone.get(later.step) ?? [])
      .sort((a, b) => a - b);
    inverses.push({
      ...{ step: number, resource, key, section, needs, mails: false, why: '' },
      ...inverse,
      id: resource === 'members' ? null : (id ?? resultId),
      before: withIds(inverse.before, idOf) as Fields | null,
      after: withIds(inverse.after, idOf) as Fields | null,
    });
  }
  // An undo removes only what the receipt says was added.
  const limits = { maxRemoved: 1, maxChanged: 1 };
  return { steps: inverses, conflicts: conflicts.reverse(), leaving: [], managed: [], limits };
}
