import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';
import { respondAlive } from '#lib/telemetry/health.ts';

/** The same as `/health`, under the name that orchestrators use: `GET /health/live`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  respondAlive,
);
