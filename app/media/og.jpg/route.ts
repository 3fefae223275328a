import { createApiRoute } from '#lib/http/api-route.ts';
import { respondWithSiteOgImage } from '#lib/media/og-image/respond-with-og-image.ts';
import { getServices } from '#lib/services.ts';

/** The picture that messengers show beside a link to a page about no one event: `GET /media/og.jpg`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  respondWithSiteOgImage,
);
