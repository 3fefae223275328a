import { createApiRoute } from '#lib/http/api-route.ts';
import { createResponse } from '#lib/http/response.ts';
import { getServices } from '#lib/services.ts';

/** Whether a load balancer should send requests here: `GET /health/ready`, 503 if it should not. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (_, { health, shutdown }) => {
    const readiness = await health.readReadiness(shutdown.signal.aborted);
    return createResponse({
      status: readiness.status === 'ready' ? 200 : 503,
      headers: [
        ['Content-Type', 'application/json'],
        ['Cache-Control', 'no-store'],
      ],
      body: `${JSON.stringify(readiness)}\n`,
    });
  },
);
