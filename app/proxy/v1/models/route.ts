import { respondWithModels } from '#lib/ai-proxy/models/respond-with-models.ts';
import { createEndpointRoute } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** The language models: `GET /proxy/v1/models`. No key is needed. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createEndpointRoute(
  getServices,
  'listModels',
  (request, { models, representations }) =>
    respondWithModels(request, { models, representations }, 'language'),
);
