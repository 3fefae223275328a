import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';
import { respondWithPicture } from '#lib/site/media/pictures/respond-with-picture.ts';

/** A picture of an event, in one of a few sizes and formats: `GET /media/{attachment id}?w=640`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services, { attachment }: { attachment: string }) =>
    respondWithPicture(request, services, attachment),
);
