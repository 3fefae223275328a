import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The files of a backup. */
export const backupFiles = {
  sqlite: 'marquee.db',
  postgres: 'marquee.pgdump',
  pepper: 'pepper',
} as const;

/** Runs a program of PostgreSQL's client, which prints its own errors. @throws Error if it fails. */
export async function runPostgresTool(
  program: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  databaseUrl: string,
): Promise<void> {
  // Arguments are visible to all users of the machine, variables are not.
  const env = { ...process.env, ...toVariables(new URL(databaseUrl)) };
  const child = spawn(program, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await once(child, 'exit').then(
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
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: toDatabaseName(url),
    ...(sslMode !== null && { PGSSLMODE: sslMode }),
  };
}

/** pg_restore does not read PGDATABASE. */
export function toDatabaseName(url: URL): string {
  return decodeURIComponent(url.pathname.slice(1));
}
