import { isProxyError, type ProxyError } from '#lib/ai-proxy/proxy-error.ts';

/** Returns the ProxyError that a call throws; fails the test otherwise. */
export function thrownBy(call: () => unknown): ProxyError {
  try {
    call();
  } catch (error) {
    if (isProxyError(error)) return error;
    throw error;
  }
  throw new Error('It did not throw.');
}

/** Returns the ProxyError of a rejected promise; fails the test otherwise. */
export async function rejectedWith(call: () => Promise<unknown>): Promise<ProxyError> {
  try {
    await call();
  } catch (error) {
    if (isProxyError(error)) return error;
    throw error;
  }
  throw new Error('It did not reject.');
}

/** A request body: an object as JSON, a string unchanged. */
export function toBody(content: unknown): Uint8Array {
  return new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
}
