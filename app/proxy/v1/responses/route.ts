import { createHandledRoute } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** A reply in the style of Responses: `POST /proxy/v1/responses`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createHandledRoute(
  getServices,
  'createResponse',
);
