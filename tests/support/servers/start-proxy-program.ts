import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from '#lib/config/config.ts';
import { toCleanEnvironment } from './marquee-server.ts';

/** Starts the server without pages as a process of its own. @throws Error with its output if it does not start. */
export async function startProxyProgram(environment: Environment) {
  const child = spawn(process.execPath, [`${import.meta.dirname}/proxy-program.ts`], {
    env: { ...toCleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endWithTests = () => child.kill('SIGKILL');
  process.on('exit', endWithTests);
  const exited = once(child, 'exit').then(([code]) => {
    process.off('exit', endWithTests);
    return code as number | null;
  });
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const [, found] = /^port (\d+)$/m.exec(output) ?? [];
        if (found !== undefined) resolve(Number(found));
      });
    }
    exited.then(() => reject(new Error(`The program did not start:\n${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    logText: () => output,
    signal: (name: NodeJS.Signals) => void child.kill(name),
    /** Ends it, and returns its exit code. */
    end(name: NodeJS.Signals) {
      child.kill(name);
      return exited;
    },
  };
}
