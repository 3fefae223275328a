import { isProxyError, type ProxyError } from '#lib/ai-proxy/proxy-error.ts';

/** The ProxyError that a call throws; fails the test where it throws anything else, or nothing. */
export function thrownBy(call: () => unknown): ProxyError {
  try {
    call();
  } catch (error) {
    if (isProxyError(error)) return error;
    throw error;
  }
  throw new Error('It did not throw.');
}

/** The ProxyError that a promise rejects with; fails the test where it rejects otherwise, or resolves. */
export async function rejectedWith(call: () => Promise<unknown>): Promise<ProxyError> {
  try {
    await call();
  } catch (error) {
    if (isProxyError(error)) return error;
    throw error;
  }
  throw new Error('It did not reject.');
}

/** A request body of JSON, or of text that need not be JSON. */
export function toBody(content: unknown): Uint8Array {
  return new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
}
