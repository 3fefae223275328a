import { isProxyError, type ProxyError } from '#lib/ai-proxy/proxy-error.ts';

/** The error that a call to the proxy’s parts ends with; anything else fails the test. */
export async function refusalOf(call: () => Promise<unknown>): Promise<ProxyError> {
  try {
    await call();
  } catch (error) {
    if (isProxyError(error)) return error;
    throw error;
  }
  throw new Error('it was let through');
}
