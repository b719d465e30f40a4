/** `--in`, the organization in which names of users are looked up. */
import { type Argument, type Flag, flag } from '../../cli/command.js';

/** For every command about a user. */
const IN: Flag = flag('--in ORGANIZATION', 'organization whose users are meant by name (default: yours)', {
  refersTo: 'organization',
  changesNothing: true,
});

/** Adds `--in` to the flags of a command that refers to users. */
export function withIn<S extends { readonly arguments?: readonly Argument[]; readonly flags?: readonly Flag[] }>(
  spec: S,
): S {
  const { arguments: args = [], flags = [] } = spec;
  const refersToUsers = [...args, ...flags].some(({ refersTo }) => refersTo === 'user');
  return refersToUsers ? { ...spec, flags: [...flags, IN] } : spec;
}
