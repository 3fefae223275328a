import { randomUUID } from 'node:crypto';

const acceptable = /^[\w.-]{8,64}$/;

/** The id that a caller or a proxy in front gave the request, where it is a plain one, else a new one. */
export function toRequestId(given: string | string[] | null | undefined): string {
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID();
}
