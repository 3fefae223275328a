import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { expect } from 'vitest';
import { toSqlitePath } from '#lib/storage/database-file.ts';
import { runNode } from './run-node.ts';

/** Opens a database, reads a table and closes it, as sqlite3 does: once, or again and again. */
const program = `
const { DatabaseSync } = require('node:sqlite');
const [path, everyMs] = process.argv.slice(1);
function read() {
  const database = new DatabaseSync(path, { timeout: 5000 });
  database.prepare('select count(*) from marquee_usage').get();
  database.close();
}
read();
console.log('read');
if (everyMs !== undefined) setInterval(read, Number(everyMs));
`;
const flags = ['--disable-warning=ExperimentalWarning', '-e', program, '--'];

/** Another program that opens and closes the database ten times a second. */
export async function startForeignReader(dataDir: string) {
  const args = [...flags, toSqlitePath(dataDir), '100'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    isRunning: () => child.exitCode === null,
    [Symbol.dispose]() {
      child.kill('SIGKILL');
    },
  };
}

/** Fails unless a process that has the database open keeps its lock. */
export function expectLocked(dataDir: string, pid = process.pid): void {
  if (platform() !== 'linux') return;
  const { ino } = statSync(toSqlitePath(dataDir));
  expect(readFileSync('/proc/locks', 'utf8')).toMatch(
    new RegExp(`POSIX +ADVISORY +READ +${pid} \\S+:${ino} `),
  );
}

/** Fails unless another program that opens and closes the database leaves its write-ahead log alone. */
export async function expectLogKept(dataDir: string): Promise<void> {
  const path = toSqlitePath(dataDir);
  const before = sideFilesOf(path);
  const outcome = await runNode([...flags, path], { environment: {} });
  expect(outcome).toMatchObject({ code: 0, out: 'read\n' });
  expect(sideFilesOf(path)).toEqual(before);
}

function sideFilesOf(path: string): readonly number[] {
  return ['-wal', '-shm'].map((suffix) => statSync(path + suffix).ino);
}
