import type { SessionUsageSum } from '#lib/spend/store/derived-sums.ts';
import type { KeyUsageSum } from '#lib/spend/store/usage-sums.ts';
import { addTotals, noUsage, sumTotals, type UsageTotals } from '#lib/spend/usage/usage-totals.ts';
import { countTokens, type UsageShare } from './account-view.ts';
import { isPlaygroundKeyId } from './playground-key.ts';
import type { UsageData } from './usage-data.ts';
import { toKeyName, toKeyTitles } from './usage-files.ts';

/** The usage of a day or an hour, as `2026-11-26` or `2026-11-26T14:00Z`. */
export type UsagePeriod = UsageTotals & Readonly<{ period: string }>;

/** What is stacked in a chart: a value of each period. */
export type ChartSeries = Readonly<{ name: string; values: readonly number[] }>;

/** The usage of a model, and how fast it was. */
export type ModelUsage = UsageShare &
  Readonly<{
    model: string;
    /** Requests whose cost is not known, at least. */
    unpriced: number;
    /** The mean of those that have one; null: none has. */
    firstTokenMs: number | null;
    /** Of streams, after the first token. */
    tokensPerSecond: number | null;
  }>;

/** What a session of a coding agent has used. */
export type SessionUsage = UsageTotals &
  Readonly<{ session: string; lastAt: number; keyName: string }>;

export type UsageView = Readonly<{
  /** Every one of the time that is shown, oldest first, those without usage too. */
  periods: readonly UsagePeriod[];
  total: UsageTotals;
  unpriced: number;
  /** These two: the dearest first. */
  models: readonly ModelUsage[];
  keys: readonly UsageShare[];
  /** By model; empty: nothing has a known cost. */
  costs: readonly ChartSeries[];
  tokens: readonly ChartSeries[];
}>;

/** Of models with a colour of their own. */
const seriesMax = 4;

export function toUsageView({ keys, usage, span }: UsageData): UsageView {
  const titles = toKeyTitles(keys);
  const byPeriod = Map.groupBy(usage, ({ period }) => period);
  const periods = span.periods.map((period) => ({
    period,
    ...sumTotals(byPeriod.get(period) ?? []),
  }));
  const byModel = Map.groupBy(usage, ({ model }) => model);
  const byKey = Map.groupBy(usage, ({ keyId }) => keyId);
  const models = [...byModel].map(([model, sums]) => toModelUsage(model, sums)).sort(bySpend);
  return {
    periods,
    total: sumTotals(usage),
    unpriced: countUnpriced(usage),
    models,
    keys: [...byKey].map(([id, sums]) => toKeyUsage(id, sums, titles)).sort(bySpend),
    costs: toCostSeries(models, usage, span.periods),
    tokens: toTokenSeries(periods),
  };
}

/** The dearest first; of equal ones, that with more tokens. */
export function bySpend(a: UsageTotals, b: UsageTotals): number {
  return (b.costUsd ?? 0) - (a.costUsd ?? 0) || countTokens(b) - countTokens(a);
}

function toKeyUsage(
  id: string,
  sums: readonly KeyUsageSum[],
  titles: ReadonlyMap<string, string>,
): UsageShare {
  const href = isPlaygroundKeyId(id) ? { href: '/account/playground' } : {};
  return { ...sumTotals(sums), id, name: toKeyName(titles, id), ...href };
}

function toModelUsage(model: string, sums: readonly KeyUsageSum[]): ModelUsage {
  const add = (name: 'firstByteMs' | 'firstBytes' | 'restMs' | 'restTokensOut') =>
    sums.reduce((sum, row) => sum + row[name], 0);
  const [firstBytes, restMs] = [add('firstBytes'), add('restMs')];
  return {
    ...sumTotals(sums),
    model,
    name: model || 'No model',
    unpriced: countUnpriced(sums),
    firstTokenMs: firstBytes === 0 ? null : add('firstByteMs') / firstBytes,
    tokensPerSecond: restMs === 0 ? null : (1000 * add('restTokensOut')) / restMs,
  };
}

/** A request that has failed may have no cost since it cost nothing. */
function countUnpriced(sums: readonly KeyUsageSum[]): number {
  return sums.reduce(
    (count, { requests, errors, priced }) => count + Math.max(0, requests - errors - priced),
    0,
  );
}

function toCostSeries(
  models: readonly ModelUsage[],
  usage: readonly KeyUsageSum[],
  periods: readonly string[],
): ChartSeries[] {
  const priced = models.filter(({ costUsd }) => costUsd);
  const own = new Map(priced.slice(0, seriesMax).map(({ model, name }) => [model, name]));
  const byModel = Map.groupBy(usage, ({ model }) => (own.has(model) ? model : null));
  const series = [...own].map(([model, name]) => toSeries(name, byModel.get(model), periods));
  if (priced.length > seriesMax) series.push(toSeries('Others', byModel.get(null), periods));
  return series;
}

function toSeries(
  name: string,
  sums: readonly KeyUsageSum[] = [],
  periods: readonly string[],
): ChartSeries {
  const costs = new Map<string, number>();
  for (const { period, costUsd } of sums) {
    costs.set(period, (costs.get(period) ?? 0) + (costUsd ?? 0));
  }
  return { name, values: periods.map((period) => costs.get(period) ?? 0) };
}

/** Cached tokens are part of the input: each counts once. */
export function toTokenSeries(periods: readonly UsageTotals[]): ChartSeries[] {
  const toCached = ({ tokensIn, cachedTokens }: UsageTotals) => Math.min(tokensIn, cachedTokens);
  return [
    { name: 'Input', values: periods.map((period) => period.tokensIn - toCached(period)) },
    { name: 'Cached input', values: periods.map(toCached) },
    { name: 'Output', values: periods.map(({ tokensOut }) => tokensOut) },
  ];
}

/** More would fill the page. */
const sessionsMax = 20;

/** The latest first. */
export function toSessionUsages(
  usage: readonly SessionUsageSum[],
  { keys }: Pick<UsageData, 'keys'>,
): SessionUsage[] {
  const titles = toKeyTitles(keys);
  const sessions = new Map<string, SessionUsage>();
  for (const { session, lastAt, keyId, ...sum } of usage) {
    const before = sessions.get(session);
    sessions.set(session, {
      ...addTotals(before ?? noUsage, sum),
      session,
      lastAt: Math.max(lastAt, before?.lastAt ?? 0),
      keyName: toKeyName(titles, keyId),
    });
  }
  return [...sessions.values()].sort((a, b) => b.lastAt - a.lastAt).slice(0, sessionsMax);
}
