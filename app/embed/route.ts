import { createApiRoute } from '#lib/http/api-route.ts';
import { respondWithEmbed, toEmbedErrorResponse } from '#lib/representations/embed/embed-page.ts';
import { getServices } from '#lib/services.ts';

/** A list of events, or one event, for an `<iframe>`: `GET /embed`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  respondWithEmbed,
  { toErrorResponse: toEmbedErrorResponse },
);
