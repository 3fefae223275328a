import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';
import { respondWithSiteOgImage } from '#lib/site/media/og-image/og-images.ts';

/** The Open Graph image of all pages but those of events: `GET /media/og.jpg`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  respondWithSiteOgImage,
);
