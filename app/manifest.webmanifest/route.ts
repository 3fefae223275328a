import { toWebManifest } from '#lib/formats/web-manifest.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { answerWithText } from '#lib/pages/text-answer.ts';
import { getServices } from '#lib/services.ts';

/** The site as something for a home screen: `GET /manifest.webmanifest`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services) =>
    answerWithText(request, services, {
      key: 'manifest.webmanifest',
      contentType: 'application/manifest+json; charset=utf-8',
      write: () => toWebManifest(services.site),
    }),
);
