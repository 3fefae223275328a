import { createEndpointRoute } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** Revokes the key that is sent: `POST /proxy/v1/key/revoke`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createEndpointRoute(
  getServices,
  'revokeKey',
  (request, { leakedKeys }) => leakedKeys.revokeItself(request),
);
