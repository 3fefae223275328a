import { requireNoQuery } from '#lib/events/query/parse-query.ts';
import { apiLinks } from '#lib/events/view/link-headers.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { createRepresentation, respondWith } from '#lib/http/representation.ts';
import { createOpenApiDocument } from '#lib/openapi/document.ts';
import { getServices } from '#lib/services.ts';

/** The description of the events API: `GET /api/v1/openapi.json`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, { site, representations }) => {
    requireNoQuery(request.url);
    const representation = await representations.get('static', 'openapi', () =>
      createRepresentation({
        contentType: 'application/json; charset=utf-8',
        body: `${JSON.stringify(createOpenApiDocument(site), null, 2)}\n`,
        lastModifiedMs: processStartedAtMs,
        headers: [apiLinks(site)],
      }),
    );
    return respondWith(request, representation, () => 'public, max-age=300');
  },
  { produces: 'application/json' },
);

// It changes with a deploy only.
const processStartedAtMs = Date.now();
