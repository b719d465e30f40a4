/** The side effects of commands: on the service, or on local files if they do not call the service. */
import type { Command } from '../../cli/command.js';

export const EFFECTS = ['reads', 'creates', 'changes', 'destroys', 'sends_mail'] as const;
export type Effect = (typeof EFFECTS)[number];

/** By command (`users create`), else by verb (`create`). */
const BY_NAME: Readonly<Record<string, readonly Effect[]>> = {
  api: EFFECTS,
  'auth login': ['reads', 'changes'],
  login: ['reads', 'changes'],
  logout: ['destroys'],
  'end-users create': ['creates', 'sends_mail'],
  'users create': ['reads', 'creates', 'sends_mail'],
  'jobs resume': EFFECTS,
  'jobs retry': EFFECTS,
  'jobs undo': ['reads', 'destroys'],
  apply: EFFECTS,
  'offline import': ['creates', 'destroys'],
  'offline serve': ['creates', 'changes'],
  create: ['reads', 'creates'],
  upload: ['creates'],
  'readers update': ['reads', 'creates', 'changes'],
  set: ['changes'],
  use: ['changes'],
  cancel: ['reads', 'destroys'],
  delete: ['reads', 'destroys'],
  anonymize: ['reads', 'destroys'],
  remove: ['destroys'],
  prune: ['destroys'],
  reset: ['creates', 'destroys'],
  unset: ['destroys'],
  'auth logout': ['destroys'],
};

/** @param path the command's words */
export function effectsOf(path: string, { name, flags }: Command): readonly Effect[] {
  const isWrite = flags?.some((flag) => flag.name === 'dry-run') === true;
  return BY_NAME[path] ?? BY_NAME[name] ?? (isWrite ? ['reads', 'changes'] : ['reads']);
}
