import { createApiError, type HttpError } from '#lib/http/errors/errors.ts';
import type { KeyUpdate } from './store/key-record.ts';

/** The options of a new key; null means the default, or all models. */
export type CreateKeyInput = KeyUpdate;

const namePattern = /^(?!mq_|key_)[^\s\p{C}](?:[^\p{C}]{0,98}[^\s\p{C}])?$/u;
const modelPattern = /^[^\s\p{C},*]{1,200}?(?:\/\*)?$/u;
const requestsPerMinuteMax = 1_000_000;
const tokensPerDayMax = 1_000_000_000_000;

export function isKeyName(text: string): boolean {
  return namePattern.test(text);
}

/** The id of a model, or `prefix/*`. */
export function isModelPattern(text: string): boolean {
  return modelPattern.test(text);
}

/** @throws HttpError 400 that says what to change. */
export function requireValidKeyInput(input: CreateKeyInput, now: number): void {
  const { name, models, requestsPerMinute, tokensPerDay, expiresAt } = input;
  if (!isKeyName(name)) {
    throw toInvalid(
      'A name is 1 to 100 characters in one line, without blanks around it, and does not begin with mq_ or key_.',
    );
  }
  const invalid = models?.find((model) => !isModelPattern(model));
  if (invalid !== undefined || models?.length === 0) {
    throw toInvalid(
      `A list of models contains ids or prefix/*, such as demo/small,other/*; not ${JSON.stringify(invalid ?? '')}.`,
    );
  }
  requireLimit('Requests a minute', requestsPerMinute, requestsPerMinuteMax);
  requireLimit('Tokens a day', tokensPerDay, tokensPerDayMax);
  if (expiresAt !== null && !(expiresAt > now)) {
    throw toInvalid('A key expires in the future: give a later date.');
  }
}

function requireLimit(what: string, value: number | null, max: number): void {
  if (value === null) return;
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw toInvalid(`${what}: a whole number from 1 to ${max.toLocaleString('en')}.`);
}

function toInvalid(message: string): HttpError {
  return createApiError('bad_request', { message });
}
