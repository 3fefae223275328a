import type { KeyQuery } from '#lib/keys/store/key-queries.ts';
import { type KeyRecord, type KeyState, toKeyState } from '#lib/keys/store/key-record.ts';
import { shownDays, toFirstDay } from '#lib/spend/budgets.ts';
import { noUsage, type UsageTotals } from '#lib/spend/usage/usage-totals.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import type { ListPlace } from '#lib/storage/lists.ts';
import type { AccountStores } from '../store/stores.ts';

/** A key as the admin pages and `npm run keys` show it. */
export type KeySummary = Readonly<{
  id: string;
  record: KeyRecord;
  name: string;
  hint: string;
  /** Null: the operator's. A deleted member has no name. */
  owner: Readonly<{ id: string; name: string | null }> | null;
  state: KeyState;
  createdAt: number;
  lastUsedAt: number | null;
  /** Of 30 days. */
  usage: UsageTotals;
}>;

type Stores = Pick<AccountStores, 'keys' | 'usage'>;

export async function loadKeyList(
  database: Stores,
  query: Omit<KeyQuery, 'today'>,
): Promise<ListPlace & Readonly<{ rows: readonly KeySummary[] }>> {
  const { now } = query;
  const fromDay = toFirstDay(shownDays, now);
  const today = toUtcDay(now);
  const { keys, ...place } = await database.keys.search({ ...query, today });
  const ids = keys.map(({ key }) => key.id);
  const totals = await database.usage.totalsOf('key', ids, fromDay);
  const rows = keys.map(({ key, ownerName }) => ({
    id: key.id,
    record: key,
    name: key.name,
    hint: key.hint,
    owner: key.owner && { id: key.owner.id, name: ownerName },
    state: toKeyState(key, now),
    createdAt: key.createdAt,
    lastUsedAt: key.usedAt,
    usage: totals.get(key.id) ?? noUsage,
  }));
  return { ...place, rows };
}
