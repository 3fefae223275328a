import type { Config } from '#lib/config/config.ts';
import { type Database, openDatabase } from '#lib/database.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { requirePepper } from '#lib/keys/require-pepper.ts';
import { findBudgetProblems } from '#lib/site/problems/budget-problems.ts';
import { findDeliveryProblems } from '#lib/site/problems/delivery-problems.ts';
import { examineMigrations } from '#lib/storage/connection.ts';
import { hasDatabase, nameDatabase } from '#lib/storage/find-database.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';
import { toSafeText } from '../command.ts';
import { examineStoredValues } from './examine-stored-values.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const damageCheckMs = 60_000;

/** The database, and what waits in it. Creates nothing. */
export async function examineDatabase(
  config: Pick<Config, 'keys' | 'storage'>,
): Promise<Finding[]> {
  const { storage } = config;
  const name = 'database';
  try {
    const title = nameDatabase(storage);
    if (!(await hasDatabase(storage)))
      return [{ name, ...ok(`${title}: created at the first start`) }];
    const { applied, missing } = await examineMigrations(storage);
    if (missing.length > 0) {
      // To open it would apply them, while instances of another version may run.
      const text = `${applied.join(', ') || 'none'}; the next start applies ${missing.join(', ')}: see /docs/operate/upgrades`;
      return [
        { name, ...ok(title) },
        { name: 'migrations', ...warning(text) },
      ];
    }
    const database = await openDatabase(storage);
    try {
      const isChecked = await database.requireIntact(damageCheckMs);
      const keys = formatCountOf(await database.keys.count(), 'key');
      return [
        isChecked
          ? { name, ...ok(`${title}: ${keys}`) }
          : { name, ...warning(`${title}: ${keys}; not checked for damage within a minute`) },
        { name: 'migrations', ...ok(applied.join(', ')) },
        ...(await examineKeys(database, config)),
        ...(await examineStoredValues(database)),
        await examineDeliveries(database),
        await examineBudgets(database, config.keys),
      ];
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!isStorageError(error)) throw error;
    return [{ name, ...problem(error.message) }];
  }
}

/** Whether the pepper is that of the keys. */
async function examineKeys(
  { keys }: Pick<Database, 'keys'>,
  settings: Pick<Config, 'keys' | 'storage'>,
): Promise<Finding[]> {
  try {
    await requirePepper({ keys, settings, now: Date.now });
    return [];
  } catch (error) {
    if (!isStorageError(error)) throw error;
    return [{ name: 'keys', ...problem(error.message) }];
  }
}

/** The webhooks, what waits to be delivered, and what cannot be. */
async function examineDeliveries(database: Database): Promise<Finding> {
  const { deliveries, webhooks } = database;
  const all = await webhooks.list();
  const waiting = await deliveries.countWaiting();
  const delivered = formatCountOf(waiting.webhook, 'delivery', 'deliveries');
  const pings = formatCountOf(waiting.ping, 'ping');
  const emails = formatCountOf(waiting.mail, 'email');
  const text = `${formatCountOf(all.length, 'webhook')}; waiting: ${delivered} to them, ${pings}, ${emails}`;
  const found = await findDeliveryProblems(database);
  const problems = found.map(({ what }) => toSafeText(what));
  const judge = problems.length === 0 ? ok : warning;
  return { name: 'deliveries', ...judge([text, ...problems].join('; ')) };
}

/** What the first page of the admins says of them, too. */
async function examineBudgets(
  database: Database,
  { totalBudget }: Config['keys'],
): Promise<Finding> {
  const found = await findBudgetProblems(database, { totalBudget, now: Date.now() });
  const text = found.map(({ what, advice }) => toSafeText(`${what} ${advice}`)).join(' ');
  return { name: 'budgets', ...(text === '' ? ok('none is at its end') : warning(text)) };
}
