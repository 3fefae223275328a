import { spawn } from 'node:child_process';
import { once } from 'node:events';

type TerminalOptions = Readonly<{
  environment: Readonly<Record<string, string>>;
  /** Typed once the program asks for it. */
  typed: string;
  /** What it asks with. */
  question: string;
}>;

/** Runs a command of a shell in a terminal of its own, which util-linux’s `script` makes; returns what it shows. */
export async function runInTerminal(
  command: string,
  { environment, typed, question }: TerminalOptions,
): Promise<Readonly<{ output: string; status: number | null }>> {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { NODE_ENV: 'test', SHELL: '/bin/sh', TERM: 'dumb', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  let isTyped = false;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    if (isTyped || !output.includes(question)) return;
    isTyped = true;
    child.stdin.write(`${typed}\n`);
  });
  const [status] = (await once(child, 'close')) as [number | null];
  child.stdin.end();
  return { output, status };
}
