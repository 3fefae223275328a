import type { UsageEntry } from '#lib/spend/ledger/usage-record.ts';
import { isFree } from '#lib/spend/prices.ts';
import type { Target } from '../upstreams/select-targets.ts';
import type { KnownFacts, LearnedFacts, Shown } from './learned-facts.ts';

type ShowingTarget = Target & Readonly<{ isUsual: boolean; known: KnownFacts }>;

type ShowOptions = Readonly<{
  targets: readonly ShowingTarget[];
  owner: string;
  /** Unix ms. */
  now: number;
}>;

/** How often what is known already is stored again, ms. */
const renewMs = 600_000;

/** Learns what the reply to a usual request has shown. Call it with what a request to these targets has cost. */
export function showReply(
  facts: Pick<LearnedFacts, 'show'>,
  { targets, owner, now }: ShowOptions,
  entry: UsageEntry,
): void {
  for (const target of targets) {
    if (target.name !== entry.upstream || !target.isUsual) continue;
    for (const shown of [toCost(target, entry), ...toFactors(entry)]) {
      if (shown === null) continue;
      const before = target.known.shown(shown.field).own;
      const known = before?.taken.map(Number) ?? [];
      const highest = shown.numbers.map((number, index) => Math.max(number, known[index] ?? 0));
      const isKnown = highest.every((number, index) => number === known[index]);
      if (isKnown && now - (before?.learnedAt ?? 0) < renewMs) continue;
      const { field, reason } = shown;
      facts.show(target, { owner, isPlain: true }, { field, taken: highest.map(String), reason });
    }
  }
}

type ShownNumbers = Omit<Shown, 'taken'> & Readonly<{ numbers: readonly number[] }>;

/** The cost of a reply that is listed as free, and of how many tokens it was; 0 where it was free. */
function toCost({ prices }: Target, entry: UsageEntry): ShownNumbers | null {
  const { costUsd, costSource, isEstimated, isStreamed, status, tokensIn, tokensOut } = entry;
  const isComplete = status === 200 && (!isEstimated || !isStreamed);
  if (prices === null || !isFree(prices) || costUsd === null) return null;
  if (costSource !== 'reported' && !isComplete) return null;
  const reason = 'replies of a model that is listed as free have cost so many dollars, and tokens';
  // Where nothing costs anything, the size says nothing, and is not stored each time.
  return { field: 'cost', numbers: [costUsd, costUsd === 0 ? 0 : tokensIn + tokensOut], reason };
}

/** Less than a tenth beyond is noise. */
const factorLeast = 1.1;

function toFactors({ outputFactor, costFactor }: UsageEntry): readonly ShownNumbers[] {
  const ofOutput = 'replies report so many times the tokens of their bound';
  const ofCost = 'replies cost so many times their price by the list';
  const factors: readonly ShownNumbers[] = [
    { field: 'output_factor', numbers: [outputFactor], reason: ofOutput },
    { field: 'cost_factor', numbers: [Math.ceil(costFactor * 100) / 100], reason: ofCost },
  ];
  return factors.filter(({ numbers: [factor = 1] }) => factor >= factorLeast);
}
