import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Command, type CommandContext, flag, parseArguments, print } from '../command.ts';

/** The files of a backup. */
export const backupFiles = {
  sqlite: 'marquee.db',
  postgres: 'marquee.pgdump',
  pepper: 'pepper',
} as const;

/** What is read or counted again: the last read of the events table has URLs that expire. */
export const tablesLeftOut: readonly string[] = [
  'marquee_table_reads',
  'marquee_table_parts',
  'marquee_request_counts',
];

type PostgresTool = Readonly<{
  program: 'pg_dump' | 'pg_restore';
  args: readonly string[];
  databaseUrl: string;
}>;

/** Runs a program of PostgreSQL's client, which prints its own errors. @throws Error if it fails. */
export async function runPostgresTool(
  { program, args, databaseUrl }: PostgresTool,
  { env, stdout, stderr }: CommandContext,
): Promise<void> {
  // Arguments are visible to all users of the machine, variables are not.
  const variables = { ...env, ...toVariables(new URL(databaseUrl)) } as NodeJS.ProcessEnv;
  const child = spawn(program, args, { env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.write(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.write(text));
  const code = await once(child, 'close').then(
    ([exitCode]) => exitCode as number | null,
    () => {
      throw new Error(`${program} is not installed. In Debian: apt-get install postgresql-client`);
    },
  );
  if (code !== 0) throw new Error(`${program} failed; see above.`);
}

/** The variables of libpq for a URL. */
function toVariables(url: URL): NodeJS.Dict<string> {
  const sslMode = url.searchParams.get('sslmode');
  return {
    PGHOST: url.hostname,
    PGPORT: url.port === '' ? '5432' : url.port,
    PGUSER: decodeURIComponent(url.username),
    PGDATABASE: toDatabaseName(url),
    // A password may also come from the variable itself.
    ...(url.password !== '' && { PGPASSWORD: decodeURIComponent(url.password) }),
    ...(sslMode !== null && { PGSSLMODE: sslMode }),
  };
}

/** pg_restore does not read PGDATABASE. */
export function toDatabaseName(url: URL): string {
  return decodeURIComponent(url.pathname.slice(1));
}

type FolderCommandOptions = Readonly<{
  /** Such as `npm run backup --`. */
  name: string;
  notes: string;
  run: (folder: string, context: CommandContext) => Promise<void>;
}>;

/** Creates a command whose only argument is the folder of a backup. */
export function createFolderCommand({ name, notes, run }: FolderCommandOptions): Command {
  const usage = `Usage: ${name} FOLDER`;
  return async (args, context) => {
    const help = { ...flag, short: 'h' } as const;
    const { values, positionals } = parseArguments(args, { help }, usage);
    if (values.help) {
      print(context.stdout, `${usage}\n\n${notes}`);
      return 0;
    }
    const [folder = ''] = positionals;
    if (folder === '' || positionals.length > 1) throw new Error(usage);
    await run(folder, context);
    return 0;
  };
}
