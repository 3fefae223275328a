import type { FailedResult } from '#lib/ai-proxy/protocols/read-result.ts';

/** A reply that was read; fails the test if it is an error. */
export function resultOf<T extends object>(read: T | FailedResult): Exclude<T, FailedResult> {
  if ('error' in read) throw read.error;
  return read as Exclude<T, FailedResult>;
}

/** A reply that is an error; fails the test if it is none. */
export function failureOf(read: object): FailedResult {
  if ('error' in read) return read as FailedResult;
  throw new Error('It is a result.');
}
