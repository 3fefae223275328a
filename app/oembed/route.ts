import { createApiRoute } from '#lib/http/api-route.ts';
import { respondWithOEmbed } from '#lib/representations/embed/oembed.ts';
import { getServices } from '#lib/services.ts';

/** How to embed a page of this site (https://oembed.com): `GET /oembed?url=…`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  respondWithOEmbed,
);
