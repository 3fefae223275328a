import { requireNoQuery } from '#lib/events/query/parse-query.ts';
import { apiLinks } from '#lib/events/view/link-headers.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { createOpenApiDocument } from '#lib/representations/openapi/document.ts';
import { getServices } from '#lib/services.ts';
import { respondWithText } from '#lib/site/pages/respond-with-text.ts';

/** The description of the events API: `GET /api/v1/openapi.json`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services) => {
    requireNoQuery(request.url);
    return respondWithText(request, services, {
      key: 'openapi',
      contentType: 'application/json; charset=utf-8',
      headers: () => [apiLinks(services.site)],
      write: () => `${JSON.stringify(createOpenApiDocument(services.site), null, 2)}\n`,
    });
  },
  { produces: 'application/json' },
);
