import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectOutput } from '../support/programs/collect-output.ts';
import type { Run } from './agents.ts';

const withinMs = 120_000;

/** A folder for the PATH, with the command that a script starts; some packages make theirs only after a download. */
export function writeCommand(parent: string, command: string, program: string): string {
  const folder = join(parent, 'bin');
  mkdirSync(folder);
  const runner = /\.c?js$/.test(program) ? `'${process.execPath}' ` : '';
  const text = `#!/bin/sh\nexec ${runner}'${program}' "$@"\n`;
  writeFileSync(join(folder, command), text, { mode: 0o755 });
  return folder;
}

/** Pastes a script into a shell, with further arguments for its program; returns what that printed. */
export async function startAgent(
  programs: string,
  { script, args, environment, input }: Run,
  cwd: string,
) {
  const child = spawn('sh', ['-c', `${script} "$@"`, 'sh', ...args], {
    cwd,
    env: { NODE_ENV: 'production', ...environment, PATH: `${programs}:${process.env.PATH}` },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: withinMs,
  });
  child.stdin.end(input);
  const output = collectOutput(child);
  await new Promise((resolve) => child.once('close', resolve));
  return output();
}

export function toProgramPath(folder: string, program: string): string {
  return join(folder, 'node_modules', program);
}
