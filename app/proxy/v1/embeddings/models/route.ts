import { respondWithModels } from '#lib/ai-proxy/models/respond-with-models.ts';
import { createEndpointRoute } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** The embedding models: `GET /proxy/v1/embeddings/models`. With a key, those that it may use. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createEndpointRoute(
  getServices,
  'listEmbeddingModels',
  (request, { models, representations, aiProxy: { openKey } }) =>
    respondWithModels(request, { models, representations, openKey }, 'embedding'),
);
