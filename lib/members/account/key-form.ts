import type { CreateKeyInput } from '#lib/ai-proxy/keys/create-key-input.ts';
import { requireValidKeyInput } from '#lib/ai-proxy/keys/create-key-input.ts';
import type { ProblemCode } from '../routes/problems.ts';

export type KeyFormOptions = Readonly<{
  now: number;
  /** The most that a key may have, which is also the default. */
  tokensPerDayMax: number;
}>;

const dayMs = 86_400_000;

/** Reads the form that creates a key; a problem where a field is invalid. */
export function readKeyForm(
  form: URLSearchParams,
  { now, tokensPerDayMax }: KeyFormOptions,
): CreateKeyInput | ProblemCode {
  const expiresAt = readExpiry(form.get('expires') ?? '', now);
  if (expiresAt === undefined) return 'key-expiry';
  const tokensPerDay = readTokens(form.get('tokens') ?? '', tokensPerDayMax);
  if (tokensPerDay === undefined) return 'key-tokens';
  const models = form.getAll('models').filter((model) => model !== '');
  const name = (form.get('name') ?? '').trim();
  const input = {
    ...{ name, tokensPerDay, expiresAt },
    models: models.length === 0 ? null : models,
    requestsPerMinute: null,
    mayUseMessages: null,
    budget: null,
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

function readTokens(text: string, max: number): number | null | undefined {
  if (text.trim() === '') return null;
  const tokens = Number(text);
  return Number.isInteger(tokens) && tokens >= 1 && tokens <= max ? tokens : undefined;
}
