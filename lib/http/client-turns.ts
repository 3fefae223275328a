import { groupAddress, toClientAddress } from './client-address.ts';
import { createApiError } from './errors/errors.ts';
import { TurnError, TurnQueue } from './turn-queue.ts';

/**
 * Runs what takes long in the turn of the request’s client, one at a time. @param key requests with the same one share a
 * turn. @throws HttpError 429 if too many wait
 */
export type TakeTurn = <T>(request: Request, key: unknown, work: () => Promise<T>) => Promise<T>;

const timeoutMs = 10_000;
/** To wait costs less than to be rejected and to come again. */
const waitingMax = 256;

/** Turns by the address of clients, as pages have them. @param trustedHops see `readClientAddress` */
export function createClientTurns(trustedHops: number): TakeTurn {
  const queue = new TurnQueue({ concurrency: 1, waitingMax, onChange: () => {} });
  return async (request, key, work) => {
    const client = groupAddress(toClientAddress(request, trustedHops));
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      return await queue.run({ request, client, key, deadline }, work);
    } catch (error) {
      if (!(error instanceof TurnError)) throw error;
      throw createApiError('too_many_requests', {
        message: 'Too many requests wait for their turn.',
        hint: 'Send one after the other, or try again in two seconds.',
        headers: { 'Retry-After': '2' },
      });
    }
  };
}
