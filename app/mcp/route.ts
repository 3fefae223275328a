import { createMcpRoute } from '#lib/representations/mcp/mcp-route.ts';
import { getServices } from '#lib/services.ts';

/** The directory for agents, by the Model Context Protocol: `POST /mcp`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createMcpRoute(getServices);
