import { createHandledRoute } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** What the key that is sent has used: `GET /proxy/v1/usage`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createHandledRoute(
  getServices,
  'getUsage',
);
