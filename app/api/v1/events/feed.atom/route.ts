import { createApiRoute } from '#lib/http/api-route.ts';
import { respondWithFeed } from '#lib/representations/feeds/respond-with-feed.ts';
import { getServices } from '#lib/services.ts';

/** The latest announced events as Atom 1.0, with the list's filters: `GET /api/v1/events/feed.atom`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services) => respondWithFeed(request, services, 'atom'),
);
