import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Environment } from '#lib/config/config.ts';
import { openDatabase } from '#lib/database.ts';
import { startTestModels } from '../../support/models/test-models.ts';
import { startNginx } from '../../support/programs/nginx.ts';
import { startPostgres } from '../../support/programs/postgres.ts';
import { type Prometheus, startPrometheus } from '../../support/programs/prometheus.ts';
import { findFreePort } from '../../support/servers/free-port.ts';
import { makeKeysIn } from '../../support/servers/make-key.ts';
import { startEventsTable } from '../servers/events-table.ts';
import { alertsFile } from './alerts.ts';
import type { Fleet } from './faults.ts';
import { createInstance } from './instance.ts';

export type RunningFleet = Fleet &
  Readonly<{
    url: string;
    certificate: string;
    logFiles: readonly string[];
    prometheus: Prometheus;
    createKeys: (count: number) => Promise<readonly string[]>;
    /** Usage records by key, in the order of `createKeys`, read from the database. */
    countUsage: () => Promise<readonly number[]>;
    /** Balances and sums that differ from the usage records. */
    countDrifts: () => Promise<number>;
    close: () => Promise<void>;
  }>;

const pepper = 'pepper-of-the-soak-0123456789abcdef';

/** Two instances, of two workers each, with PostgreSQL behind nginx, and the table and models that they use. */
export async function startFleet(): Promise<RunningFleet> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-soak-'));
  const smallDisk = mountSmallDisk(join(folder, 'data-1'));
  const [postgres, models, { airtable: table, environment }] = await Promise.all([
    startPostgres(),
    startTestModels({ key: 'sk-soak', paceMs: 20 }),
    startEventsTable(),
  ]);
  const databaseUrl = await postgres.createDatabase();
  const settings: Environment = {
    ...environment,
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    KEY_PEPPER: pepper,
    AI_UPSTREAM_URL: models.url,
    AI_UPSTREAM_KEY: models.key,
    WORKERS: '2',
    // A model that hangs is given up within the fault's time.
    PROXY_TIMEOUT_SECONDS: '5',
  };
  const logFiles = ['1', '2', 'nginx'].map((name) => join(tmpdir(), `marquee-soak-${name}.log`));
  for (const file of logFiles) rmSync(file, { force: true });
  const metricsPorts = [await findFreePort(), await findFreePort()] as const;
  const create = async (number: 1 | 2) => {
    const dataDir = join(folder, `data-${number}`);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const logFile = logFiles[number - 1] ?? '';
    return createInstance({
      name: `instance ${number}`,
      port: await findFreePort(),
      logFile,
      environment: {
        ...settings,
        DATA_DIR: dataDir,
        METRICS_PORT: String(metricsPorts[number - 1]),
      },
    });
  };
  const instances = [await create(1), await create(2)] as const;
  for (const instance of instances) await instance.start();
  const nginx = await startNginx(
    instances.map(({ port }) => port),
    { errorLog: logFiles[2] ?? '' },
  );
  const prometheus = await startPrometheus({ metricsPorts, rulesFile: alertsFile });

  return {
    instances,
    postgres,
    table,
    models,
    smallDisk,
    logFiles,
    url: nginx.url,
    certificate: nginx.certificate,
    prometheus,
    createKeys: (count) => createKeys(databaseUrl, count),
    countUsage: () => countUsage(databaseUrl),
    countDrifts: () => countDrifts(databaseUrl),
    async close() {
      await Promise.all([nginx.close(), prometheus.close()]);
      for (const instance of instances) await instance.end('SIGKILL');
      await Promise.all([postgres.close(), table.close(), models.close()]);
      if (smallDisk !== null) execFileSync('umount', [smallDisk]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function mountSmallDisk(path: string): string | null {
  if (process.getuid?.() !== 0) return null;
  mkdirSync(path, { mode: 0o700 });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=700', 'tmpfs', path]);
    return path;
  } catch {
    return null;
  }
}

async function createKeys(databaseUrl: string, count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, index) => `client ${index + 1}`);
  const keys = await makeKeysIn({ databaseUrl, dataDir: '' }, pepper, names);
  return keys.map(({ text }) => text);
}

async function countDrifts(databaseUrl: string): Promise<number> {
  const database = await openDatabase({ databaseUrl, dataDir: '' });
  const drifts = await database.balances.audit();
  await database.close();
  return drifts.length;
}

async function countUsage(databaseUrl: string): Promise<readonly number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select k.name, count(u.id)::int as records from marquee_keys k
     left join marquee_usage u on u.key_id = k.id and u.is_counted = 1 group by k.name`,
  );
  await client.end();
  const number = ({ name }: Readonly<{ name: string }>) => Number(name.replace('client ', ''));
  return rows.toSorted((a, b) => number(a) - number(b)).map(({ records }) => records);
}
