import { type Budget, parseBudget } from '#lib/config/budget.ts';

/** The values of options of `npm run keys`. Each reader throws an Error with a one-line message. */

export type OptionValue = string | boolean | undefined;

const daysMax = 3_660;

/** `default` means the settings' own limit: null. */
export function readCount(option: string, value: OptionValue): number | null {
  if (value === undefined || value === 'default') return null;
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  throw new Error(`${option} must be a whole number such as 100, not ${JSON.stringify(value)}.`);
}

/** `none` means no budget of its own: null. */
export function readBudget(value: OptionValue): Budget | null {
  return typeof value !== 'string' || value === 'none' ? null : parseBudget(value);
}

export function readDays(value: OptionValue = '30'): number {
  const days = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (days >= 1 && days <= daysMax) return days;
  const given = JSON.stringify(value);
  throw new Error(`--days must be a whole number from 1 to ${daysMax}, not ${given}.`);
}

/** `all` means every model: null. */
export function readModels(value: OptionValue): string[] | null {
  if (typeof value !== 'string' || value === 'all') return null;
  return value.split(',').map((model) => model.trim());
}

/** A date means the end of that day in UTC, `never` null. Returns Unix ms. */
export function readExpiry(value: OptionValue): number | null {
  if (value === undefined || value === 'never') return null;
  const text = String(value);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const time = isDay || isMoment ? Date.parse(text) : Number.NaN;
  // Date.parse turns 30 February into 2 March.
  const isReal = isMoment || new Date(time || 0).toISOString().startsWith(text);
  if (Number.isNaN(time) || !isReal) {
    throw new Error(
      `--expires must be a date such as 2027-01-31 or a time such as 2027-01-31T12:00:00Z, not ${JSON.stringify(text)}.`,
    );
  }
  return isDay ? time + 86_400_000 : time;
}
