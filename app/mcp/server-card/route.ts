import { createApiRoute } from '#lib/http/api-route.ts';
import { serverCardType, toServerCard } from '#lib/representations/discovery.ts';
import { getServices } from '#lib/services.ts';
import { respondWithText } from '#lib/site/pages/respond-with-text.ts';

/** What the MCP server is, before anybody connects: `GET /mcp/server-card` (SEP-2127). */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services) =>
    respondWithText(request, services, {
      key: 'mcp-server-card',
      contentType: serverCardType,
      write: () => toServerCard(services.site),
    }),
);
