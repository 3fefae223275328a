import { createProxyRoute } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** Unknown URLs under `/proxy`: a 404 in the proxy's error format. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createProxyRoute(getServices, {});
