import { createHandledRoute } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** A conversation made shorter by the model: `POST /proxy/v1/responses/compact`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createHandledRoute(
  getServices,
  'compactResponse',
);
