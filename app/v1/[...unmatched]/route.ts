import { createProxyRoute } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** Clients whose base URL lacks `/proxy`: a 404 that says which one they want. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createProxyRoute(getServices, {});
