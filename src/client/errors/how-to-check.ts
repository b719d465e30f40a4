/** Advises how to check whether a write of unknown outcome was carried out. */
import { resources } from '../../contract/index.js';
import type { Recognised, Resource } from '../../contract/resource.js';
import { asId, getPath } from '../../core/json.js';
import { shellLine } from '../../core/shell.js';
import type { Outgoing, Values } from '../request/request.js';

const createsAt = ({ endpoints }: Resource, path: string) =>
  Object.values(endpoints).find((one) => one.path === path && one.repeat !== 'safe');

/** The sentence for a create whose item an endpoint finds by key. */
function byKey(
  { name, written }: Resource,
  { field }: Extract<Recognised, { by: 'key' }>,
  isMade: boolean,
  body: Values['body'],
): string {
  const key = asId(body?.[field]);
  const word = key ?? field.toUpperCase();
  const prefix = written.find((one) => one.field === field)?.prefix ?? '';
  // Without a known key, `edu api` sent the request, which takes no flags of its body.
  const again =
    isMade && key !== undefined ? ` with \`${shellLine(`--${field}`, word)}\`, so that it is never created twice` : '';
  return `Check with \`${shellLine('edu', name, 'get', prefix + word)}\` before you run it again${again}.`;
}

/**
 * The sentence that says how to check.
 * @param body the values that were sent, if they are known
 */
export function howToCheck(out: Pick<Outgoing, 'path'>, body?: Values['body']): string {
  const [path = ''] = out.path.split('?');
  if (path.startsWith('/login/')) return 'The code has been used. Run `edu auth login` again.';
  const resource: Resource | undefined = resources.find((one: Resource) => createsAt(one, path) !== undefined);
  const recognised = resource?.recognised;
  if (resource === undefined || recognised === undefined)
    return 'Check whether it was carried out before you run it again.';
  if (recognised.by === 'nothing') return recognised.advice;
  const { name, noun, endpoints } = resource;
  if (recognised.by === 'key' && recognised.through !== undefined)
    return byKey(resource, recognised, createsAt(resource, path)?.body?.[recognised.field]?.required !== true, body);
  const parent = endpoints.list?.params?.id?.refersTo;
  const again = recognised.by === 'key' && recognised.unique ? '' : `, which could create a second ${noun[0]}`;
  const id = asId(body?.[`${parent}Id`]) ?? 'ID';
  const list = `\`${shellLine('edu', name, 'list', ...(parent === undefined ? [] : [`--${parent}`, id]))}\``;
  const organization = asId(getPath(body, 'organization.id'));
  const isElsewhere = recognised.by === 'equality' && recognised.shows === 'own' && organization !== undefined;
  const check = isElsewhere
    ? `${list} shows only those of your organization: ask the organization ${organization}`
    : `Check with ${list}`;
  return `${check} before you run it again${again}.`;
}
