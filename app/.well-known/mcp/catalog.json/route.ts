import { createApiRoute } from '#lib/http/api-route.ts';
import { toMcpCatalog } from '#lib/representations/discovery.ts';
import { getServices } from '#lib/services.ts';
import { respondWithText } from '#lib/site/pages/respond-with-text.ts';

/** The MCP servers of the site: `GET /.well-known/mcp/catalog.json`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services) =>
    respondWithText(request, services, {
      key: 'mcp-catalog',
      contentType: 'application/json; charset=utf-8',
      write: () => toMcpCatalog(services.site),
    }),
);
