import { type Command, runCommand } from '#lib/cli/command.ts';
import type { Environment } from '#lib/config/config.ts';
import type { Outcome } from './run-node.ts';

/** Runs a command as `npm run …` does, but in this process. */
export async function callCommand(
  command: Command,
  args: readonly string[],
  env: Environment,
): Promise<Outcome> {
  const written = { out: '', error: '' };
  const collect = (stream: keyof typeof written) => ({
    write: (text: string) => {
      written[stream] += text;
    },
  });
  const context = { env, stdout: collect('out'), stderr: collect('error') };
  const code = await runCommand(command, args, context);
  return { code, ...written };
}
