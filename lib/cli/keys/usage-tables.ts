import { formatCachedShare } from '#lib/accounts/account/account-view.ts';
import type { AllUsage } from '#lib/accounts/admin/all-usage.ts';
import type { RejectionSum } from '#lib/spend/store/rejection-store.ts';
import type { UsageSum } from '#lib/spend/store/usage-sums.ts';
import { sumTotals, type UsageTotals } from '#lib/spend/usage/usage-totals.ts';
import { toSafeText, toTextTable } from '../command.ts';

/** Tables by key, day and model, and one of rejected requests if there are any. */
export function toAllUsageText(usage: AllUsage): string {
  const { keys, members, days, models, total, rejections } = usage;
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
    ...(members.length === 0
      ? []
      : [
          toTable(
            'member',
            members.map((member) => [member.name || member.id, member]),
          ),
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
export function toRejectionsTable(rejections: readonly RejectionSum[]): string {
  return toTextTable(
    ['rejected', 'status', 'code'],
    rejections.map(({ count, status, code }) => [String(count), String(status), code]),
  );
}

/** Formats one key's usage by day and model, with a total. */
export function toUsageTable(sums: readonly UsageSum[]): string {
  const rows = [...sums, { day: 'total', model: '', ...sumTotals(sums) }];
  return toTextTable(
    ['day', 'model', ...totalsHeadings],
    rows.map(({ day, model, ...totals }) => [day, toSafeText(model), ...toCells(totals)]),
  );
}

const totalsHeadings = ['requests', 'tokens in', 'cached', 'tokens out', 'cost in USD'];

function toCells(totals: UsageTotals): string[] {
  const { requests, tokensIn, tokensOut, costUsd } = totals;
  const cost = costUsd === null ? 'unknown' : costUsd.toFixed(4);
  const cached = formatCachedShare(totals) ?? '-';
  return [String(requests), String(tokensIn), cached, String(tokensOut), cost];
}
