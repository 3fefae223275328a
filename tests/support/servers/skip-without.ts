import { beforeEach } from 'vitest';
import { isInstalled, type Program } from '../../programs.ts';

/** Skips the tests of a file or `describe` if a program is missing. Returns whether it is installed. */
export function skipWithout(program: Program): boolean {
  if (isInstalled(program)) return true;
  beforeEach(({ skip }) => skip(`${program} is not installed`));
  return false;
}
