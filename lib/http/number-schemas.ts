import { z } from 'zod';

/** Numbers of JSON that people write: each error text completes the sentence “`temperature` must be …”. */

export function wholeNumber(min: number, max?: number) {
  const what =
    max === undefined ? `a whole number, ${min} or more` : `a whole number from ${min} to ${max}`;
  const number = z.int(what).min(min, what);
  return max === undefined ? number : number.max(max, what);
}

export function numberBetween(min: number, max: number) {
  const what = `a number from ${min} to ${max}`;
  return z.number(what).min(min, what).max(max, what);
}
