import { execFile } from 'node:child_process';

export type Outcome = Readonly<{ code: number; out: string; error: string }>;

type RunNodeOptions = Readonly<{
  /** All that is set, but for where this run keeps compiled code. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Of another user. */
  uid?: number;
}>;

const root = `${import.meta.dirname}/../../..`;

/** Runs a program of the project in a process of its own, to its end. */
export function runNode(
  words: readonly string[],
  { environment, ...as }: RunNodeOptions,
): Promise<Outcome> {
  const { NODE_COMPILE_CACHE } = process.env;
  const env: NodeJS.ProcessEnv = { NODE_ENV: 'test', NODE_COMPILE_CACHE, ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd: root, env, ...as }, (failure, out, error) =>
      resolve({ code: failure === null ? 0 : 1, out, error }),
    );
  });
}
