import { createProxyRoute } from '#lib/ai-proxy/proxy-route.ts';
import { getServices } from '#lib/services.ts';

/** Every address under `/proxy` that leads nowhere answers as the proxy does. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createProxyRoute(getServices, {});
