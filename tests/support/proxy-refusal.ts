import { isProxyError, type ProxyError } from '#lib/ai-proxy/proxy-error.ts';

/** The ProxyError that a call throws; anything else thrown, or nothing, is an error of the test. */
export function refusalOf(call: () => unknown): ProxyError {
  try {
    call();
  } catch (error) {
    if (isProxyError(error)) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

/** A request's body, from a value or from text that need not be JSON. */
export function toBody(content: unknown): Uint8Array {
  return new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
}
