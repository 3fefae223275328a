import type { Database } from '#lib/storage/database.ts';
import type { RejectionSum } from '#lib/storage/rejection-store.ts';
import type { UsageSum, UsageTotals } from '#lib/storage/usage-sums.ts';
import { toTextTable } from '../terminal.ts';

/** The usage of all keys, each list sorted by spend except for the days. */
export type AllUsage = Readonly<{
  keys: readonly (Readonly<{ id: string; name: string }> & UsageTotals)[];
  days: readonly (Readonly<{ day: string }> & UsageTotals)[];
  models: readonly (Readonly<{ model: string }> & UsageTotals)[];
  total: UsageTotals;
  /** Requests that were not sent on, the most frequent first. */
  rejections: readonly (RejectionSum & Readonly<{ name: string }>)[];
}>;

export async function readAllUsage(database: Database, fromDay: string): Promise<AllUsage> {
  const { usage } = database;
  const [records, byKey, byDay, byModel, rejections] = await Promise.all([
    database.keys.list(),
    usage.sumBy('key_id', fromDay),
    usage.sumBy('day', fromDay),
    usage.sumBy('model', fromDay),
    database.rejections.sum(fromDay),
  ]);
  const names = new Map(records.map(({ id, name }) => [id, name]));
  return {
    keys: byKey
      .toSorted(bySpend)
      .map(({ group, ...totals }) => ({ id: group, name: names.get(group) ?? '', ...totals })),
    days: byDay
      .toSorted((one, other) => (one.group < other.group ? 1 : -1))
      .map(({ group, ...totals }) => ({ day: group, ...totals })),
    models: byModel.toSorted(bySpend).map(({ group, ...totals }) => ({ model: group, ...totals })),
    total: toTotal(byDay),
    rejections: rejections.map((one) => ({ ...one, name: names.get(one.keyId) ?? '' })),
  };
}

/** Tables by key, day and model, and one of rejected requests if there are any. */
export function toAllUsageText({ keys, days, models, total, rejections }: AllUsage): string {
  const toTable = (heading: string, rows: readonly (readonly [string, UsageTotals])[]) =>
    toTextTable(
      [heading, ...totalsHeadings],
      rows.map(([name, totals]) => [toSafeText(name), ...toCells(totals)]),
    );
  return [
    toTable('key', [
      ...keys.map((key) => [key.name || key.id, key] as const),
      ['total', total] as const,
    ]),
    toTable(
      'day',
      days.map((day) => [day.day, day]),
    ),
    toTable(
      'model',
      models.map((model) => [model.model, model]),
    ),
    ...(rejections.length === 0 ? [] : [toRejectionsTable(rejections)]),
  ].join('\n\n');
}

/** Formats the rejected requests of one key, or of all. */
export function toRejectionsTable(
  rejections: readonly (RejectionSum & Readonly<{ name?: string }>)[],
): string {
  const [first] = rejections;
  const ofAll = first?.name !== undefined;
  return toTextTable(
    ['rejected', 'status', 'code', ...(ofAll ? ['key'] : [])],
    rejections.map(({ count, status, code, keyId, name }) => [
      ...[String(count), String(status), code],
      ...(ofAll ? [name || keyId] : []),
    ]),
  );
}

/** Formats one key's usage by day and model, with a total. */
export function toUsageTable(sums: readonly UsageSum[]): string {
  const rows = [...sums, { day: 'total', model: '', ...toTotal(sums) }];
  return toTextTable(
    ['day', 'model', ...totalsHeadings],
    rows.map(({ day, model, ...totals }) => [day, toSafeText(model), ...toCells(totals)]),
  );
}

const totalsHeadings = ['requests', 'tokens in', 'tokens out', 'cost in USD'];

function toCells({ requests, tokensIn, tokensOut, costUsd }: UsageTotals): string[] {
  const cost = costUsd === null ? 'unknown' : costUsd.toFixed(4);
  return [...[requests, tokensIn, tokensOut].map(String), cost];
}

function toTotal(sums: readonly UsageTotals[]): UsageTotals {
  return sums.reduce<UsageTotals>(
    (all, sum) => ({
      requests: all.requests + sum.requests,
      tokensIn: all.tokensIn + sum.tokensIn,
      tokensOut: all.tokensOut + sum.tokensOut,
      costUsd: sum.costUsd === null ? all.costUsd : (all.costUsd ?? 0) + sum.costUsd,
    }),
    { requests: 0, tokensIn: 0, tokensOut: 0, costUsd: null },
  );
}

/** The dearest first; of equal ones, that with more tokens. */
function bySpend(one: UsageTotals, other: UsageTotals): number {
  const tokensOf = ({ tokensIn, tokensOut }: UsageTotals) => tokensIn + tokensOut;
  return (other.costUsd ?? 0) - (one.costUsd ?? 0) || tokensOf(other) - tokensOf(one);
}

// Model names come from clients and may contain terminal escape sequences.
function toSafeText(text: string): string {
  return text.replace(/\p{C}/gu, '\ufffd');
}
