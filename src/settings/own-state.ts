/** Folders of the state folder with jobs, plans and offline data: used only if no other user can have written what is in them. */
import { join } from 'node:path';
import { usageError } from '../core/errors.js';
import { checkFolder, checkFolderAndFiles } from '../core/fs/trusted-file.js';
import type { Env } from '../core/io.js';
import { stateFolder } from './folders.js';

const TRUST = { refuse: usageError, mayBeLink: true };

/** Checks the state folder. @returns false if there is none @throws EduError `usage` */
export const checkStateFolder = (env: Env): boolean => checkFolder(stateFolder(env), TRUST);

/** The path of a folder of the state. It and its files are checked if they exist. @throws EduError `usage` */
export function ownState(env: Env, name: 'jobs' | 'plans' | 'offline'): string {
  const folder = join(stateFolder(env), name);
  if (checkStateFolder(env)) checkFolderAndFiles(folder, TRUST);
  return folder;
}

/** Checks one of the folders in it. @returns false if there is none @throws EduError `usage` */
export const checkOwnFolder = (folder: string): boolean => checkFolderAndFiles(folder, { ...TRUST, mayBeLink: false });
