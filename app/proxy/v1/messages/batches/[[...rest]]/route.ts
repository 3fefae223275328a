import { createProxyRoute, rejectBatches } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** Batches, which the proxy does not have: `/proxy/v1/messages/batches`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createProxyRoute(
  getServices,
  { GET: rejectBatches, POST: rejectBatches },
  'messages',
);
