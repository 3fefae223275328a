import { createProxyRoute, describeProxy } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** The base URL of clients of the Messages API, which some check before they begin: `GET /proxy`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createProxyRoute(getServices, {
  GET: describeProxy,
});
