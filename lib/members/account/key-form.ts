import type { CreateKeyInput } from '#lib/ai-proxy/keys/create-key-input.ts';
import { requireValidKeyInput } from '#lib/ai-proxy/keys/create-key-input.ts';
import { type Budget, parseBudget } from '#lib/budgets/budget.ts';
import type { ProblemCode } from '../routes/problems.ts';

const dayMs = 86_400_000;

/** Reads the form that creates a key; a problem where a field is invalid. */
export function readKeyForm(form: URLSearchParams, now: number): CreateKeyInput | ProblemCode {
  const expiresAt = readExpiry(form.get('expires') ?? '', now);
  if (expiresAt === undefined) return 'key-expiry';
  const budget = readBudget(form.get('budget') ?? '');
  if (budget === undefined) return 'key-budget';
  const models = form.getAll('models').filter((model) => model !== '');
  const name = (form.get('name') ?? '').trim();
  const input = {
    ...{ name, budget, expiresAt },
    tokensPerDay: null,
    models: models.length === 0 ? null : models,
    requestsPerMinute: null,
    mayUseMessages: null,
  };
  return (
    findInvalid({ ...input, models: null }, now, 'key-name') ??
    findInvalid(input, now, 'key-models') ??
    input
  );
}

function findInvalid(input: CreateKeyInput, now: number, problem: ProblemCode) {
  try {
    requireValidKeyInput(input, now);
    return null;
  } catch {
    return problem;
  }
}

/** A number of days from now, or a date, whose end counts. */
function readExpiry(text: string, now: number): number | null | undefined {
  if (text === '') return null;
  if (!/^\d{1,4}$/.test(text)) return undefined;
  const days = Number(text);
  return days >= 1 ? now + days * dayMs : undefined;
}

function readBudget(text: string): Budget | null | undefined {
  if (text.trim() === '') return null;
  try {
    return parseBudget(text);
  } catch {
    return undefined;
  }
}
