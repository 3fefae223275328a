import { respondWithModels } from '#lib/ai-proxy/models/respond-with-models.ts';
import { createEndpointRoute } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** The language models: `GET /proxy/v1/models`. With a key, those that it may use. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createEndpointRoute(
  getServices,
  'listModels',
  (request, { models, representations, aiProxy: { openKey } }) =>
    respondWithModels(request, { models, representations, openKey }, 'language'),
);
