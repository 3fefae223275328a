import { createApiRoute } from '#lib/http/api-route.ts';
import { toWebManifest } from '#lib/representations/discovery.ts';
import { getServices } from '#lib/services.ts';
import { respondWithText } from '#lib/site/pages/respond-with-text.ts';

/** The web app manifest: `GET /manifest.webmanifest`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services) =>
    respondWithText(request, services, {
      key: 'manifest.webmanifest',
      contentType: 'application/manifest+json; charset=utf-8',
      write: () => toWebManifest(services.site),
    }),
);
