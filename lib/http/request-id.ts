import { randomUUID } from 'node:crypto';

const acceptable = /^[\w.-]{8,64}$/;

/** The `x-request-id` of the request if it is plain, else a new id. */
export function toRequestId(header: string | string[] | null | undefined): string {
  return typeof header === 'string' && acceptable.test(header) ? header : randomUUID();
}
