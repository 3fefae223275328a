import { createApiRoute } from '#lib/http/api-route.ts';
import { createResponse } from '#lib/http/response.ts';
import { getServices } from '#lib/services.ts';

/** Liveness of the process. It leaves out the upstream, which a restart would not fix. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(getServices, () => {
  return createResponse({
    status: 200,
    headers: [
      ['Content-Type', 'application/json'],
      ['Cache-Control', 'no-store'],
    ],
    body: '{"status":"ok"}\n',
  });
});
