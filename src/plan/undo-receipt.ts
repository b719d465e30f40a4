/** Plans the inverse of the steps in a receipt, as far as the service allows. */
import type { Receipt, ReceiptStep } from './apply/receipt.js';
import { ENDPOINTS } from './items.js';
import { whyNotBack } from './planner/check-fields.js';
import type { Fields, ManagedClasses, Step } from './steps.js';
import { withIds } from './view/names.js';
import { isReversible, type Staying } from './view/view.js';
import type { Plannable } from './want-columns.js';

type Inverse = Pick<Step, 'verb' | 'before' | 'after'>;

const STAYS: Readonly<Record<string, string>> = {
  'create users': 'the service cannot remove a user',
  'create schools': 'the service cannot remove a school',
  'create publishers': 'the service cannot remove a publisher',
  // Others of these are deleted.
  'create classes': 'its ID is not known',
  'create licenses': 'its ID is not known',
  'assign holders': 'the service cannot take a licence away',
  'delete classes': 'a deleted class cannot be brought back',
  'delete licenses': 'a deleted licence cannot be brought back: edu licenses create makes a new one',
  'cancel licenses': 'a cancelled licence cannot be brought back',
};

/** The fields of a created item that its update can compare: it must not have changed before it is deleted. */
function stateOfCreated(resource: Plannable, after: Fields): Fields {
  const names = Object.keys(ENDPOINTS[resource].update.body);
  const fields = Object.fromEntries(Object.entries(after).filter(([name]) => names.includes(name)));
  return resource === 'licenses' ? { ...fields, numberOfActivations: 0 } : fields;
}

function inverseOf(step: ReceiptStep): Inverse | undefined {
  const { verb, resource, before, after, resultId } = step;
  if (!isReversible(step) || (verb === 'create' && resultId === null)) return undefined;
  if (verb === 'assign') return { verb: 'unassign', before: after, after: null };
  if (verb === 'unassign') return { verb: 'assign', before: null, after: before };
  if (verb === 'update') return { verb, before: after, after: before };
  return { verb: 'delete', before: stateOfCreated(resource as Plannable, after ?? {}), after: null };
}

function reasonOf(step: ReceiptStep): string {
  const { verb, resource, outcome, error } = step;
  if (outcome === 'unknown') return `its outcome is unknown: ${error ?? ''}`;
  const known = STAYS[`${verb} ${resource}`] ?? whyNotBack(step);
  return known ?? 'the service does not return all fields that the change replaced';
}

/** Plans the inverse of the steps that were done, in reverse order. */
export function planUndo({ header, steps }: Receipt) {
  const resolved = <T>(value: T): T => withIds(value, (step) => steps[step - 1]?.resultId ?? '') as T;
  const made = (ref: unknown): number | undefined => (ref as { readonly step?: number } | undefined)?.step;
  /** Classes that the undo deletes, and thus their memberships. */
  const isGoing = (ref: unknown): boolean => steps[(made(ref) ?? 0) - 1]?.outcome === 'done';
  /** Licences that the plan both created and assigned. */
  const assigned = new Set(
    steps.flatMap(({ resource, outcome, after }) =>
      resource === 'holders' && outcome === 'done' ? (made(after?.licenseId) ?? []) : [],
    ),
  );
  const inverses: Step[] = [];
  const staying: Staying[] = [];
  for (const one of [...steps].reverse()) {
    const { step, verb, resource, outcome, resultId, before, after } = one;
    if (outcome !== 'done' && outcome !== 'unknown') continue;
    const id = one.id ?? resultId;
    const isInUse = assigned.has(step);
    const inverse = outcome === 'done' && !isInUse ? inverseOf(one) : undefined;
    if (inverse === undefined) {
      const isKnown = verb === 'create' && id !== null;
      const why = isInUse
        ? 'it was assigned, so the service cannot delete it: edu licenses cancel ends it'
        : reasonOf(one);
      const fields = { before: resolved(before), after: resolved(after) };
      staying.unshift({
        why,
        step: { step, verb: isKnown ? 'update' : verb, resource, id: isKnown ? id : one.id, ...fields },
      });
    } else if (resource !== 'members') inverses.push({ step: inverses.length + 1, resource, id, ...resolved(inverse) });
    else if (!isGoing((after ?? before)?.classId))
      inverses.push({ step: inverses.length + 1, resource, id: null, ...resolved(inverse) });
  }
  const created = steps.flatMap(({ verb, resource, resultId, after }): readonly ManagedClasses[] =>
    verb === 'create' && resource === 'classes' && resultId !== null
      ? [{ school: String(resolved(after?.schoolId)), classes: [resultId] }]
      : [],
  );
  return { steps: inverses, staying, managed: [...header.managed, ...created] };
}
