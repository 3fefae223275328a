import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../servers/free-port.ts';
import { findOwner } from './postgres.ts';
import { startServerProgram } from './server-program.ts';

export type PgBouncer = Readonly<{
  /** The URL of a database through it. */
  toUrl: (databaseUrl: string) => string;
  close: () => Promise<void>;
}>;

/** Starts PgBouncer in transaction mode in front of a server, with two connections to each database. */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-pgbouncer-'));
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const port = await findFreePort();
  const configuration = `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = 2
`;
  writeFileSync(join(folder, 'pgbouncer.ini'), configuration);
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${password}"\n`);
  const owner = findOwner();
  for (const path of [folder, join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]) {
    if (owner !== null) chownSync(path, owner.uid, owner.gid);
  }
  const toUrl = (url: string) => Object.assign(new URL(url), { port: String(port) }).href;
  const server = await startServerProgram({
    command: 'pgbouncer',
    args: [join(folder, 'pgbouncer.ini')],
    cwd: folder,
    ...owner,
    async probe() {
      const client = new pg.Client({ connectionString: toUrl(databaseUrl) });
      client.on('error', () => {});
      await client.connect();
      await client.end();
    },
  });
  return {
    toUrl,
    async close() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
