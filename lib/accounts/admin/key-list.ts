import { type KeyRecord, type KeyState, toKeyState } from '#lib/keys/store/key-record.ts';
import { shownDays, toFirstDay } from '#lib/spend/budgets.ts';
import { sumTotals, type UsageTotals } from '#lib/spend/store/usage-sums.ts';
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

type Stores = Pick<AccountStores, 'keys' | 'members' | 'usage'>;

/** All keys, or those whose name, first characters or owner has a text; those that work first, the newest first. */
export async function loadKeyList(
  database: Stores,
  { text, page, now }: Readonly<{ text: string; page: number; now: number }>,
): Promise<Readonly<{ keys: readonly KeySummary[]; paging: Paging }>> {
  const all = await database.keys.list();
  const ids = new Set(all.flatMap(({ owner }) => owner?.id ?? []));
  const names = await database.members.names([...ids]);
  const found = all.filter((key) => hasText(key, names, text.toLowerCase()));
  const isActive = (key: KeyRecord) => Number(toKeyState(key, now) === 'active');
  const ordered = found.reverse().sort((a, b) => isActive(b) - isActive(a));
  const { limit, offset } = toOffset(page);
  const keys = await summarizeKeys(database, ordered.slice(offset, offset + limit), { names, now });
  return { keys, paging: toPaging(page, found.length) };
}

/** The keys of one member, the newest first. */
export async function loadKeysOf(
  database: Stores,
  { id, name }: Readonly<{ id: string; name: string }>,
  now: number,
): Promise<readonly KeySummary[]> {
  const keys = (await database.keys.list(id)).reverse();
  return summarizeKeys(database, keys, { names: new Map([[id, name]]), now });
}

function hasText(key: KeyRecord, names: ReadonlyMap<string, string>, text: string): boolean {
  const { name, hint, owner } = key;
  const texts = [name, hint, names.get(owner?.id ?? ''), owner?.email];
  return texts.some((one) => one?.toLowerCase().includes(text));
}

type Known = Readonly<{ names: ReadonlyMap<string, string>; now: number }>;

async function summarizeKeys(
  { usage }: Pick<AccountStores, 'usage'>,
  keys: readonly KeyRecord[],
  { names, now }: Known,
): Promise<KeySummary[]> {
  const ids = keys.map(({ id }) => id);
  if (ids.length === 0) return [];
  const [sums, lastUsed] = await Promise.all([
    usage.sumOfKeys(ids, toFirstDay(shownDays, now)),
    usage.lastUsed(ids),
  ]);
  const usedAt = new Map(lastUsed);
  return keys.map((key) => ({
    id: key.id,
    name: key.name,
    hint: key.hint,
    owner: key.owner && { id: key.owner.id, name: names.get(key.owner.id) ?? null },
    state: toKeyState(key, now),
    createdAt: key.createdAt,
    lastUsedAt: usedAt.get(key.id) ?? null,
    usage: sumTotals(sums.filter(({ keyId }) => keyId === key.id)),
  }));
}
