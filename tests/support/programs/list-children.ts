import { readFileSync } from 'node:fs';

/** The child processes of a process, the oldest first. */
export function listChildren(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return list === '' ? [] : list.split(' ').map(Number);
}
