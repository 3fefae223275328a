import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';
import { respondWithEventOgImage } from '#lib/site/media/og-image/og-images.ts';

/** The Open Graph image of an event: `GET /media/og/{id}.jpg`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services, { file }: { file: string }) =>
    respondWithEventOgImage(request, services, file),
);
