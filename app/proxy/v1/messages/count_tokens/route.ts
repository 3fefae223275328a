import { createHandledRoute } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** The tokens of a prompt: `POST /proxy/v1/messages/count_tokens`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createHandledRoute(
  getServices,
  'countMessageTokens',
);
