import { type CreateKeyInput, isKeyName, isModelPattern } from '#lib/keys/create-key-input.ts';
import type { ProblemCode } from '../routes/problems.ts';
import { readBudget } from '../routes/read-form.ts';

const dayMs = 86_400_000;

/** Reads the form that creates a key; a problem where a field is invalid. */
export function readKeyForm(form: URLSearchParams, now: number): CreateKeyInput | ProblemCode {
  const name = (form.get('name') ?? '').trim();
  if (!isKeyName(name)) return 'key-name';
  const expiresAt = readExpiry(form.get('expires') ?? '', now);
  if (expiresAt === undefined) return 'key-expiry';
  const budget = readBudget(form);
  if (budget === undefined) return 'key-budget';
  const models = form.getAll('models').filter((model) => model !== '');
  if (!models.every(isModelPattern)) return 'key-models';
  return {
    ...{ name, budget, expiresAt },
    models: models.length === 0 ? null : models,
    // An operator's settings hold for these.
    ...{ tokensPerDay: null, requestsPerMinute: null, mayUseMessages: null },
  };
}

/** A number of days from now. */
function readExpiry(text: string, now: number): number | null | undefined {
  if (text === '') return null;
  if (!/^\d{1,4}$/.test(text)) return undefined;
  const days = Number(text);
  return days >= 1 ? now + days * dayMs : undefined;
}
