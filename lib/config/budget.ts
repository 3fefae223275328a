/** Over which usage is bounded, the shortest first, and the fields of a budget for that. Days are in UTC, a week begins on Monday. */
export const budgetPeriods = [
  { period: 'day', tokens: 'tokensPerDay', nanoUsd: 'nanoUsdPerDay' },
  { period: 'week', tokens: 'tokensPerWeek', nanoUsd: 'nanoUsdPerWeek' },
  { period: 'month', tokens: 'tokensPerMonth', nanoUsd: 'nanoUsdPerMonth' },
] as const;

type BudgetPeriod = (typeof budgetPeriods)[number];

export type PeriodName = BudgetPeriod['period'];

/**
 * The most that may be used in each period; null: no bound. Tokens are those of input and output together; billionths of
 * a dollar add up exactly.
 */
export type Budget = Readonly<Record<BudgetPeriod['tokens' | 'nanoUsd'], number | null>>;

/** The same bound in each field. */
export function toEqualBounds<T>(bound: T): Readonly<Record<keyof Budget, T>> {
  const fields = [
    ...budgetPeriods.map(({ tokens }) => tokens),
    ...budgetPeriods.map(({ nanoUsd }) => nanoUsd),
  ];
  return Object.fromEntries(fields.map((field) => [field, bound])) as Record<keyof Budget, T>;
}

export const noBudget: Budget = toEqualBounds(null);

/** What operators may write, in their texts. */
export const budgetWords = 'dollars and tokens per day, week and month';

/** In the order in which they are written. */
const bounds = [
  ...budgetPeriods.map(({ period, nanoUsd }) => ({ field: nanoUsd, unit: 'USD', period }) as const),
  ...budgetPeriods.map(
    ({ period, tokens }) => ({ field: tokens, unit: 'tokens', period }) as const,
  ),
];

/** A comma after a digit groups digits: `1,000,000 tokens/day`. */
const partSeparator = /(?<!\d),/;

const example = '5 USD/day, 50 USD/month, 200,000 tokens/day';
/** Sums of such amounts are exact numbers. */
const usdMax = 1_000_000;
const tokensMax = 1_000_000_000_000;

/**
 * Parses `5 USD/day, 50 USD/month, 200,000 tokens/day`, or `none` for no bound at all.
 * @throws Error with one line that says what to change.
 */
export function parseBudget(text: string): Budget {
  if (text.trim().toLowerCase() === 'none') return noBudget;
  const budget: { -readonly [F in keyof Budget]: Budget[F] } = { ...noBudget };
  for (const part of text.split(partSeparator)) {
    const { field, amount } = parsePart(part.trim());
    if (budget[field] !== null) throw new Error(`A budget has ${show(part)} twice: remove one.`);
    budget[field] = amount;
  }
  return budget;
}

function parsePart(part: string): Readonly<{ field: keyof Budget; amount: number }> {
  const match =
    /^\$?(\d{1,13}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{1,9}))? ?(USD|tokens) ?\/ ?([a-z]+)$/i.exec(
      part,
    );
  const [, digits = '', fraction = '', unit = '', period = ''] = match ?? [];
  const whole = digits.replaceAll(',', '');
  const bound = bounds.find(
    (bound) =>
      bound.unit.toLowerCase() === unit.toLowerCase() && bound.period === period.toLowerCase(),
  );
  const isToken = bound?.unit === 'tokens';
  if (bound === undefined || (isToken && (fraction !== '' || part.startsWith('$')))) {
    throw new Error(`${show(part)} is not a budget. Write one like ${example}, or none.`);
  }
  const amount = isToken ? Number(whole) : Number(`${whole}${fraction.padEnd(9, '0')}`);
  if (isToken && amount > tokensMax) {
    throw new Error(
      `A budget is at most ${tokensMax.toLocaleString('en')} tokens; not ${show(part)}.`,
    );
  }
  if (!isToken && amount > usdMax * 1e9) {
    throw new Error(`A budget is at most ${usdMax.toLocaleString('en')} USD; not ${show(part)}.`);
  }
  return { field: bound.field, amount };
}

/** The text that `parseBudget` reads. */
export function formatBudget(budget: Budget): string {
  const parts = bounds.flatMap(({ field, unit, period }) => {
    const amount = budget[field];
    if (amount === null) return [];
    return [
      `${unit === 'USD' ? groupDigits(formatNanoUsd(amount)) : groupDigits(String(amount))} ${unit}/${period}`,
    ];
  });
  return parts.join(', ') || 'none';
}

/** `1000000.50` → `1,000,000.50`. */
function groupDigits(amount: string): string {
  const [whole = '', fraction] = amount.split('.');
  const grouped = Number(whole).toLocaleString('en');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Exactly, with cents: `5.00` dollars, `0.000001`. */
export function formatNanoUsd(nanoUsd: number): string {
  const digits = String(nanoUsd).padStart(10, '0');
  const fraction = digits.slice(-9).replace(/0{1,7}$/, '');
  return `${digits.slice(0, -9)}.${fraction}`;
}

function show(text: string): string {
  return JSON.stringify(text.trim().slice(0, 60));
}
