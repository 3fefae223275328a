import { createHandledRoute } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** What one request of the key that is sent has used: `GET /proxy/v1/generation?id=`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createHandledRoute(
  getServices,
  'getGeneration',
);
