import { createHash } from 'node:crypto';

type Limits = Pick<ReadonlyMap<string, unknown>, 'has'>;

/**
 * An id of a call that a server takes: a conversation that changes its model carries the ids of another one. The
 * server’s own ids stay as they are, and with them its prompt cache. @param limits what it does not take
 */
export function toTakenCallId(id: string, limits: Limits): string {
  const isTaken =
    (!limits.has('call_ids') || /^[a-zA-Z0-9]{9}$/.test(id)) &&
    (!limits.has('odd_call_ids') || /^[\w-]{1,40}$/.test(id));
  return isTaken ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
}
