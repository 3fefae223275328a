import { ProxyError } from '../proxy-error.ts';
import type { LoadTokensUsed } from './limits.ts';

/**
 * Reads what a key has used on a day.
 * @throws ProxyError 503 where it cannot be read: a budget that nobody knows is not spent from.
 */
export async function requireTokensUsed(
  load: LoadTokensUsed,
  keyId: string,
  day: string,
): Promise<number> {
  try {
    return await load(keyId, day);
  } catch (cause) {
    throw new ProxyError(503, {
      type: 'server_error',
      code: 'server_is_overloaded',
      message: 'The budget of this key cannot be read at the moment. Try again in a few seconds.',
      headers: { 'Retry-After': '2' },
      reason: 'usage_unreadable',
      cause,
    });
  }
}
