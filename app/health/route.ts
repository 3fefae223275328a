import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';
import { respondAlive } from '#lib/telemetry/health.ts';

/** Liveness of the process: `GET /health`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  respondAlive,
);
