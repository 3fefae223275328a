import { formatBudget } from '#lib/config/budget.ts';
import type { UsageTotals } from '#lib/spend/usage/usage-totals.ts';
import type { CsvColumns } from '../files/csv-file.ts';
import type { DeliveryView } from './delivery-list.ts';
import type { GroupSummary } from './group-list.ts';
import type { KeySummary } from './key-list.ts';
import { toIsoTime } from './list-file.ts';
import type { MemberSummary } from './member-list.ts';

/** The columns of the CSV files of the admin pages. */

/** Of thirty days. */
const usageColumns: CsvColumns<Readonly<{ usage: UsageTotals }>> = {
  requests: ({ usage }) => usage.requests,
  tokens_in: ({ usage }) => usage.tokensIn,
  tokens_out: ({ usage }) => usage.tokensOut,
  tokens_cached: ({ usage }) => usage.cachedTokens,
  cost_usd: ({ usage }) => usage.costUsd,
};

export const keyColumns: CsvColumns<KeySummary> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  key: ({ hint }) => hint,
  state: ({ state }) => state,
  owner_id: ({ owner }) => owner?.id ?? null,
  owner: ({ owner }) => owner?.name ?? null,
  created_at: ({ createdAt }) => toIsoTime(createdAt),
  last_used_at: ({ lastUsedAt }) => toIsoTime(lastUsedAt),
  ...usageColumns,
};

export const memberColumns: CsvColumns<MemberSummary> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  email: ({ email }) => email,
  state: ({ isDisabled, isAdmin }) => (isDisabled ? 'disabled' : isAdmin ? 'admin' : 'member'),
  group: ({ group }) => group,
  budget: ({ budget }) => budget && formatBudget(budget),
  keys: ({ keys }) => keys,
  joined_at: ({ joinedAt }) => toIsoTime(joinedAt),
  last_seen_at: ({ lastSeenAt }) => toIsoTime(lastSeenAt),
  ...usageColumns,
};

export const groupColumns: CsvColumns<GroupSummary> = {
  name: ({ name }) => name,
  budget: ({ budget }) => budget && formatBudget(budget),
  members: ({ members }) => members,
  created_at: ({ createdAt }) => toIsoTime(createdAt),
  tokens_this_month: ({ tokens }) => tokens,
  usd_this_month: ({ nanoUsd }) => nanoUsd / 1e9,
};

export const deliveryColumns: CsvColumns<DeliveryView> = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  target: ({ target }) => target,
  target_name: ({ targetName }) => targetName,
  type: ({ type }) => type,
  status: ({ status }) => status,
  attempts: ({ attempts }) => attempts,
  duration_ms: ({ durationMs }) => durationMs,
  created_at: ({ createdAt }) => toIsoTime(createdAt),
  next_attempt_at: ({ dueAt }) => toIsoTime(dueAt),
};
