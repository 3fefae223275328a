import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';

/** What has changed, as a list or a stream: `GET /api/v1/events/changes`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, { respondWithChanges }) => respondWithChanges(request),
);
