import { type Budget, noBudget } from '#lib/config/budget.ts';
import { type AccountLimit, type Payer, toAccountLimits } from '#lib/spend/budgets.ts';
import type { Demand } from '#lib/spend/ledger/decide.ts';
import type { Amounts } from '#lib/spend/ledger/usage-record.ts';

/** What bounds the requests of a key. */
export type LimitedKey = Readonly<{
  id: string;
  requestsPerMinute: number;
  payer: Payer;
  limits: readonly AccountLimit[];
}>;

type LimitedKeyParts = Readonly<{
  id?: string;
  requestsPerMinute?: number;
  key?: Partial<Budget>;
  memberId?: string;
  member?: Partial<Budget>;
  groupName?: string;
  group?: Partial<Budget>;
  all?: Partial<Budget>;
}>;

/** Creates a key, by default with 60 requests a minute and 1,000 tokens a day. */
export function makeLimitedKey({
  id = 'key_one',
  requestsPerMinute = 60,
  key = { tokensPerDay: 1_000 },
  memberId,
  groupName,
  ...budgets
}: LimitedKeyParts = {}): LimitedKey {
  const payer = { keyId: id, memberId: memberId ?? null, groupName: groupName ?? null };
  const limits = toAccountLimits(payer, {
    key: { ...noBudget, ...key },
    member: { ...noBudget, ...budgets.member },
    group: { ...noBudget, ...budgets.group },
    all: { ...noBudget, ...budgets.all },
  });
  return { id, requestsPerMinute, payer, limits };
}

/** Usage that cost nothing. */
export function tokens(count: number): Amounts {
  return { tokens: count, nanoUsd: 0 };
}

/** Creates a demand of output tokens, by default with no prompt, no price, and no use for fewer. */
export function makeDemand(outputTokensMax = 0, parts: Partial<Demand> = {}): Demand {
  const { promptTokens = 0 } = parts;
  return {
    promptTokens,
    promptTokensExpected: promptTokens,
    outputTokensMin: outputTokensMax,
    outputTokensMax,
    price: { fixed: 0, perPromptToken: 0, perOutputToken: 0 },
    ...parts,
  };
}
