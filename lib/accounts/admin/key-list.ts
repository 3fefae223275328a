import { keyList } from '#lib/keys/store/key-queries.ts';
import { type KeyRecord, type KeyState, toKeyState } from '#lib/keys/store/key-record.ts';
import { shownDays, toFirstDay } from '#lib/spend/budgets.ts';
import { noUsage, type UsageTotals } from '#lib/spend/usage/usage-totals.ts';
import { toIsoTime } from '../files/csv-file.ts';
import type { ViewOf } from '../lists/list-view.ts';
import { usageColumns } from './member-list.ts';

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

export const keys = {
  ...keyList,
  path: '/admin/keys',
  columns: {
    id: ({ id }) => id,
    name: ({ name }) => name,
    key: ({ hint }) => hint,
    state: ({ state }) => state,
    owner_id: ({ owner }) => owner?.id ?? null,
    owner: ({ owner }) => owner?.name ?? null,
    created_at: ({ createdAt }) => toIsoTime(createdAt),
    last_used_at: ({ lastUsedAt }) => toIsoTime(lastUsedAt),
    ...usageColumns,
  },
  async load({ database, now }, query) {
    const page = await database.readList(keyList, query, now);
    const ids = page.rows.map(({ key }) => key.id);
    const totals = await database.usage.totalsOf('key', ids, toFirstDay(shownDays, now));
    const rows = page.rows.map(({ key, ownerName }) => ({
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
    return { ...page, rows };
  },
} as const satisfies ViewOf<typeof keyList, KeySummary>;
