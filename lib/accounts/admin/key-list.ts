import type { FoundKey } from '#lib/keys/store/key-queries.ts';
import { type KeyState, toKeyState } from '#lib/keys/store/key-record.ts';
import { shownDays, toFirstDay } from '#lib/spend/budgets.ts';
import { noUsage, type UsageTotals } from '#lib/spend/usage/usage-totals.ts';
import type { AccountStores } from '../store/stores.ts';
import { type Paging, toOffset, toPaging } from './paging.ts';

/** A key as the admin pages show it. */
export type KeySummary = Readonly<{
  id: string;
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

/** All keys, or those whose name, first characters or owner has a text; those that work first, the newest first. */
export async function loadKeyList(
  database: Stores,
  { text, page, now }: Readonly<{ text: string; page: number; now: number }>,
): Promise<Readonly<{ keys: readonly KeySummary[]; paging: Paging }>> {
  const { keys, total } = await database.keys.search({ text, now, ...toOffset(page) });
  return { keys: await summarizeKeys(database, keys, now), paging: toPaging(page, total) };
}

/** The keys of one member, the newest first. */
export async function loadKeysOf(
  database: Stores,
  { id, name }: Readonly<{ id: string; name: string }>,
  now: number,
): Promise<readonly KeySummary[]> {
  const keys = (await database.keys.list(id)).reverse();
  return summarizeKeys(
    database,
    keys.map((key) => ({ key, ownerName: name })),
    now,
  );
}

async function summarizeKeys(
  { usage }: Stores,
  keys: readonly FoundKey[],
  now: number,
): Promise<KeySummary[]> {
  const ids = keys.map(({ key }) => key.id);
  const totals = await usage.totalsOf('key', ids, toFirstDay(shownDays, now));
  return keys.map(({ key, ownerName }) => ({
    id: key.id,
    name: key.name,
    hint: key.hint,
    owner: key.owner && { id: key.owner.id, name: ownerName },
    state: toKeyState(key, now),
    createdAt: key.createdAt,
    lastUsedAt: key.usedAt,
    usage: totals.get(key.id) ?? noUsage,
  }));
}
