import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

export type Outcome = Readonly<{ code: number; out: string; error: string }>;

type RunNodeOptions = Readonly<{
  /** All that is set, but for where this run keeps compiled code. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Of another user. */
  uid?: number;
  /** By default the root of the repository. */
  cwd?: string;
}>;

const root = `${import.meta.dirname}/../../..`;
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));

/** Runs a program of the project in a process of its own, to its end. */
export function runNode(words: readonly string[], options: RunNodeOptions): Promise<Outcome> {
  return runFile(process.execPath, words, options);
}

/** Runs a script of package.json with arguments, as `npm run … -- …` does. */
export function runScript(
  name: string,
  args: readonly string[],
  environment: RunNodeOptions['environment'],
): Promise<Outcome> {
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const words = ['-c', `${scripts[name]} "$@"`, 'npm', ...args];
  return runFile('/bin/sh', words, { environment: { PATH, ...environment } });
}

function runFile(
  file: string,
  words: readonly string[],
  { environment, ...as }: RunNodeOptions,
): Promise<Outcome> {
  const { NODE_COMPILE_CACHE } = process.env;
  const env: NodeJS.ProcessEnv = { NODE_ENV: 'test', NODE_COMPILE_CACHE, ...environment };
  return new Promise((resolve) => {
    execFile(file, words, { cwd: root, env, ...as }, (failure, out, error) =>
      resolve({ code: failure === null ? 0 : Number(failure.code), out, error }),
    );
  });
}
