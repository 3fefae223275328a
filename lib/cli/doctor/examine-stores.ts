import type { Config } from '#lib/config/config.ts';
import { type Database, openDatabase } from '#lib/database.ts';
import { silentLog } from '#lib/http/log.ts';
import { createSharedRedis, isSharedStateError } from '#lib/redis/redis.ts';
import type { Webhook } from '#lib/site/notifications/webhooks/webhook-store.ts';
import { examineMigrations } from '#lib/storage/connection.ts';
import { hasDatabase, nameDatabase } from '#lib/storage/find-database.ts';
import { StorageError } from '#lib/storage/storage-error.ts';
import { toSafeText } from '../command.ts';
import { examineStoredValues } from './examine-stored-values.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** The database, what waits in it, and Redis. Creates nothing. */
export async function examineStores({ storage }: Config): Promise<Finding[]> {
  const found = await Promise.all([examineDatabase(storage), examineRedis(storage)]);
  return found.flat();
}

async function examineDatabase(storage: Config['storage']): Promise<Finding[]> {
  const name = 'database';
  try {
    const title = nameDatabase(storage);
    if (!(await hasDatabase(storage)))
      return [{ name, ...ok(`${title}: created at the first start`) }];
    const { applied, missing } = await examineMigrations(storage);
    if (missing.length > 0) {
      // To open it would apply them, while instances of another version may run.
      const text = `${applied.join(', ') || 'none'}; the next start applies ${missing.join(', ')}: see “Upgrade” in /docs/operate`;
      return [
        { name, ...ok(title) },
        { name: 'migrations', ...warning(text) },
      ];
    }
    const database = await openDatabase(storage);
    try {
      const keys = await database.keys.list();
      return [
        { name, ...ok(`${title}: ${keys.length} keys`) },
        { name: 'migrations', ...ok(applied.join(', ')) },
        ...(await examineStoredValues(database)),
        await examineDeliveries(database),
      ];
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return [{ name, ...problem(error.message) }];
  }
}

async function examineRedis({ redisUrl }: Config['storage']): Promise<Finding> {
  const name = 'Redis';
  if (redisUrl === null) return { name, ...ok('not used: right for a single instance') };
  const redis = createSharedRedis({ url: redisUrl, log: silentLog });
  const startedAt = performance.now();
  try {
    await redis.ping();
    return { name, ...ok(`responds in ${Math.ceil(performance.now() - startedAt)} ms`) };
  } catch (error) {
    if (!isSharedStateError(error)) throw error;
    // Instances go on without it, each by itself.
    return { name, ...warning(`does not respond: ${error.message}`) };
  } finally {
    await redis.close();
  }
}

/** The webhooks, what waits to be delivered, and what cannot be. */
async function examineDeliveries({
  deliveries,
  webhooks,
}: Pick<Database, 'deliveries' | 'webhooks'>): Promise<Finding> {
  const all = await webhooks.list();
  const waiting = await deliveries.countWaiting();
  const text = `${all.length} webhooks; waiting: ${waiting.webhook} deliveries to them, ${waiting.ping} pings, ${waiting.mail} mails`;
  const problems = all.map(describeProblem).filter((problem) => problem !== null);
  const judge = problems.length === 0 ? ok : warning;
  return { name: 'deliveries', ...judge([text, ...problems].join('; ')) };
}

function describeProblem({ name, state, failingSince }: Webhook): string | null {
  const title = `“${toSafeText(name)}”`;
  if (state === 'disabled') return `${title} is disabled, since nothing could be delivered`;
  if (failingSince === null) return null;
  return `${title} has failed since ${new Date(failingSince).toISOString()}`;
}
