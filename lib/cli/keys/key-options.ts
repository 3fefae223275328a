import { type Budget, parseBudget } from '#lib/config/budget.ts';
import type { CreateKeyInput } from '#lib/keys/create-key-input.ts';
import type { CommandInput } from '../database-command.ts';

/** The values of options of `npm run keys`. Each reader throws an Error with a one-line message. */
type OptionValues = CommandInput['options'];

export const inputOptions = ['name', 'expires', 'models', 'rpm', 'tpd', 'budget'] as const;

const daysMax = 3_660;

/** What `create` is given. Options that are left out are null: the default. */
export function readKeyInput(options: OptionValues): CreateKeyInput {
  const { name, expires, models, rpm, tpd, budget } = options;
  if (name === undefined) {
    throw new Error('A key needs a name: npm run keys -- create --name NAME');
  }
  return {
    name,
    models: readModels(models),
    requestsPerMinute: readCount('--rpm', rpm),
    tokensPerDay: readCount('--tpd', tpd),
    budget: readBudget(budget),
    expiresAt: readExpiry(expires),
  };
}

/** What `update` is given: only those options. */
export function readKeyChanges(options: OptionValues): Partial<CreateKeyInput> {
  const { name, expires, models, rpm, tpd, budget } = options;
  return {
    ...(name !== undefined && { name }),
    ...(models !== undefined && { models: readModels(models) }),
    ...(rpm !== undefined && { requestsPerMinute: readCount('--rpm', rpm) }),
    ...(tpd !== undefined && { tokensPerDay: readCount('--tpd', tpd) }),
    ...(budget !== undefined && { budget: readBudget(budget) }),
    ...(expires !== undefined && { expiresAt: readExpiry(expires) }),
  };
}

export function readDays(value = '30'): number {
  const days = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (days >= 1 && days <= daysMax) return days;
  throw new Error(
    `--days must be a whole number from 1 to ${daysMax}, not ${JSON.stringify(value)}.`,
  );
}

/** `default` means the settings' own limit: null. */
function readCount(option: string, value = 'default'): number | null {
  if (value === 'default') return null;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new Error(`${option} must be a whole number such as 100, not ${JSON.stringify(value)}.`);
}

/** `none` means no budget of its own: null. */
function readBudget(value = 'none'): Budget | null {
  return value === 'none' ? null : parseBudget(value);
}

/** `all` means every model: null. */
function readModels(value = 'all'): string[] | null {
  return value === 'all' ? null : value.split(',').map((model) => model.trim());
}

/** A date means the end of that day in UTC, `never` null. Returns Unix ms. */
function readExpiry(value = 'never'): number | null {
  if (value === 'never') return null;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(value);
  const time = isDay || isMoment ? Date.parse(value) : Number.NaN;
  // Date.parse turns 30 February into 2 March.
  const isReal = isMoment || new Date(time || 0).toISOString().startsWith(value);
  if (Number.isNaN(time) || !isReal) {
    throw new Error(
      `--expires must be a date such as 2027-01-31 or a time such as 2027-01-31T12:00:00Z, not ${JSON.stringify(value)}.`,
    );
  }
  return isDay ? time + 86_400_000 : time;
}
