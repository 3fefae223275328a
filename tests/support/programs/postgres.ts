import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findPostgresProgram } from '../../programs.ts';
import { findFreePort } from '../servers/free-port.ts';
import { type ServerProgram, startServerProgram } from './server-program.ts';

/** A server whose databases a test uses, and which goes on. */
export type PostgresDatabases = Readonly<{
  /** Creates an empty database and returns its URL. */
  createDatabase: () => Promise<string>;
  query: (databaseUrl: string, text: string) => Promise<unknown[]>;
}>;

export type PostgresServer = ServerProgram &
  PostgresDatabases &
  Readonly<{
    /** Of the database that is always there. */
    url: string;
    close: () => Promise<void>;
  }>;

const user = 'marquee';
const password = 'canary-of-postgres';
const run = promisify(execFile);

type Owner = Readonly<{ uid: number; gid: number }> | null;

/** A data folder that was never started, for all servers of this process. */
let template: Promise<string> | null = null;

/** Starts PostgreSQL in a temporary folder, on a free port of loopback. @param more settings of the server */
export async function startPostgres(
  more: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-postgres-'));
  const data = join(folder, 'data');
  const owner = findOwner();
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  template ??= createCluster(owner);
  // Takes a twentieth of the time of another `initdb`.
  await run('cp', ['-a', await template, data]);
  const port = await findFreePort();
  const url = `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  const settings = { full_page_writes: 'off', shared_buffers: '32MB', ...more };
  const server = await startCluster({ folder, port, url, settings });
  return {
    ...server,
    url,
    query,
    createDatabase: () => createDatabase(url),
    async close() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

type Cluster = Readonly<{
  /** Its data is in `data` below it. */
  folder: string;
  port: number;
  /** Of a database that it has. */
  url: string;
  settings?: Readonly<Record<string, string>>;
}>;

/** Starts PostgreSQL with the data that is there; returns once it responds. */
export function startCluster({ folder, port, url, settings }: Cluster): Promise<ServerProgram> {
  const all = {
    unix_socket_directories: folder,
    listen_addresses: '127.0.0.1',
    fsync: 'off',
    // A standby needs at least as many as its primary has.
    max_connections: 400,
    ...settings,
  };
  return startServerProgram({
    cwd: folder,
    ...findOwner(),
    command: findPostgresProgram('postgres'),
    args: ['-D', join(folder, 'data'), '-p', String(port)].concat(
      Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ),
    // “Immediate shutdown”: like a crash, but its child processes end too.
    killSignal: 'SIGQUIT',
    probe: async () => void (await query(url, 'select 1')),
  });
}

/** Creates a database on the server of this URL, by default an empty one, and returns its own. */
export async function createDatabase(serverUrl: string, model = 'template1'): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await query(serverUrl, `create database ${name} template ${model}`);
  return new URL(`/${name}`, serverUrl).href;
}

async function createCluster(owner: Owner): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-postgres-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  for (const path of [folder, passwordFile]) {
    if (owner !== null) chownSync(path, owner.uid, owner.gid);
  }
  await run(
    findPostgresProgram('initdb'),
    [`--pgdata=${data}`, `--username=${user}`, `--pwfile=${passwordFile}`, '--no-sync'].concat(
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
    ),
    { cwd: folder, ...owner },
  );
  return data;
}

export async function query(databaseUrl: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // Killing the server gives an error here too.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

// PostgreSQL does not run as root; Debian’s package creates a user.
export function findOwner(): Owner {
  if (process.getuid?.() !== 0) return null;
  const read = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: read('-u'), gid: read('-g') };
}
