import { isHttpError } from '#lib/http/errors/errors.ts';
import { setServices } from '#lib/services.ts';
import type { InProcessProxy } from './in-process-proxy.ts';

/** Counts the requests that reach the proxy, and those with an invalid key. */
export function countRequests({ services }: InProcessProxy) {
  const counts = { reached: 0, unauthorized: 0, open: 0 };
  const { aiProxy } = services;
  const counted = (generate: typeof aiProxy.completeChat) => async (request: Request) => {
    counts.reached += 1;
    counts.open += 1;
    try {
      return await generate(request);
    } catch (error) {
      if (isHttpError(error) && error.status === 401) counts.unauthorized += 1;
      throw error;
    } finally {
      counts.open -= 1;
    }
  };
  setServices({
    ...services,
    aiProxy: {
      ...aiProxy,
      completeChat: counted(aiProxy.completeChat),
      createResponse: counted(aiProxy.createResponse),
    },
  });
  return counts;
}
