import { respondWithModel } from '#lib/ai-proxy/models/respond-with-models.ts';
import { createEndpointRoute } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** One model, whose id may contain slashes: `GET /proxy/v1/models/{id}`. No key is needed. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createEndpointRoute(
  getServices,
  'getModel',
  (request, { models, representations, aiProxy: { openKey } }) =>
    respondWithModel(request, { models, representations, openKey }),
);
