/** Checks that other users cannot write to the folders of jobs, plans and offline data. */
import { join } from 'node:path';
import { usageError } from '../core/errors.js';
import { checkFolder, checkFolderAndFiles } from '../core/fs/trusted-file.js';
import type { Env } from '../core/io.js';
import { stateFolder } from './folders.js';

const TRUST = { refuse: usageError, mayBeLink: true };

/** Checks the state folder. @returns false if it does not exist @throws EduError `usage` if others can write to it */
export const checkStateFolder = (env: Env): boolean => checkFolder(stateFolder(env), TRUST);

/** The path of a folder in the state folder. Checks the folder and its files if they exist. @throws EduError `usage` */
export function ownState(env: Env, name: 'jobs' | 'plans' | 'offline'): string {
  const folder = join(stateFolder(env), name);
  if (checkStateFolder(env)) checkFolderAndFiles(folder, TRUST);
  return folder;
}

/** Checks a folder, which must not be a link, and its files. @returns false if it does not exist @throws EduError `usage` */
export const checkOwnFolder = (folder: string): boolean => checkFolderAndFiles(folder, { ...TRUST, mayBeLink: false });
