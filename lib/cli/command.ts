import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Environment } from '#lib/config/config.ts';
import { loadEnvFile } from '#lib/config/env-file.ts';
import { isHttpError } from '#lib/http/errors/errors.ts';

type Output = Readonly<{ write: (text: string) => unknown }>;

/** What a command has besides its arguments; `process` is one. */
export type CommandContext = Readonly<{ env: Environment; stdout: Output; stderr: Output }>;

/** What `npm run …` starts. Resolves with the exit code. @throws Error with one line that says what to change. */
export type Command = (args: readonly string[], context: CommandContext) => Promise<number>;

/** Runs a command. An error goes to standard error: its message, or the stack of an unexpected one. */
export async function runCommand(
  command: Command,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  try {
    return await command(args, context);
  } catch (error) {
    print(context.stderr, toErrorText(error));
    return 1;
  }
}

/** Runs a command as this process: with its arguments, environment, `.env` and output. */
export async function startCommand(command: Command): Promise<void> {
  loadEnvFile();
  process.exitCode = await runCommand(command, process.argv.slice(2), process);
}

function toErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isHttpError(error)) return [error.message, error.hint].filter(Boolean).join(' ');
  const isExpected = error.constructor !== TypeError || 'code' in error;
  return isExpected ? error.message : String(error.stack);
}

/** Writes a line. */
export function print(output: Output, text: string): void {
  output.write(`${text}\n`);
}

export function printJson(output: Output, value: unknown): void {
  print(output, JSON.stringify(value, null, 2));
}

export const textOption = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;

/** Options of a command and its words. @throws Error of one line that ends with the usage. */
export function parseArguments<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Only the first sentence: Node's message goes on with advice.
    const [problem] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/);
    throw new Error(`${problem}. ${usage}`);
  }
}

/** Names come from providers and clients, and may contain terminal escape sequences. */
export function toSafeText(text: string): string {
  return text.replace(/\p{C}/gu, '\ufffd');
}

/** A moment to the minute, in UTC. */
export function toMinute(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16)}Z`;
}

/** Formats rows as aligned text columns under a ruled heading. */
export function toTextTable(headings: readonly string[], rows: readonly string[][]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  );
  const ruler = widths.map((width) => '-'.repeat(width));
  return [headings, ruler, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
