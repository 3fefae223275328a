import { execFile } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgresProgram } from '../../programs.ts';
import { findFreePort } from '../servers/free-port.ts';
import { findOwner, startCluster } from './postgres.ts';

const run = promisify(execFile);

/** A server that follows another one, by streaming replication, until it is promoted. */
export async function startStandby(primaryUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-standby-'));
  const data = join(folder, 'data');
  const owner = findOwner();
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  const as = { cwd: folder, ...owner };
  await run(
    findPostgresProgram('pg_basebackup'),
    [`--pgdata=${data}`, `--dbname=${primaryUrl}`, '--write-recovery-conf', '--checkpoint=fast'],
    as,
  );
  const port = await findFreePort();
  const url = new URL(primaryUrl);
  url.port = String(port);
  const server = await startCluster({ folder, port, url: url.href });
  return {
    port,
    /** Returns once it takes writes. */
    promote: () => run(findPostgresProgram('pg_ctl'), ['promote', '-D', data], as),
    async close() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
