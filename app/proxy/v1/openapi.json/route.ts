import { createProxyRoute } from '#lib/ai-proxy/proxy-route.ts';
import { createProxyDocument } from '#lib/representations/openapi/proxy-document.ts';
import { getServices } from '#lib/services.ts';
import { respondWithText } from '#lib/site/pages/respond-with-text.ts';

/** The description of the AI proxy: `GET /proxy/v1/openapi.json`. No key is needed. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createProxyRoute(getServices, {
  GET: (request, services) =>
    respondWithText(request, services, {
      key: 'openapi of the proxy',
      contentType: 'application/json; charset=utf-8',
      write: () => `${JSON.stringify(createProxyDocument(services.site), null, 2)}\n`,
    }),
});
