import { createApiRoute } from '#lib/http/api-route.ts';
import { prepareResponse } from '#lib/http/prepared-response.ts';
import { getServices } from '#lib/services.ts';

/** Whether the process answers, for whoever restarts it: says nothing of the upstream, which a restart cannot mend. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(getServices, () => {
  const body = Buffer.from('{"status":"ok"}\n');
  return prepareResponse({
    status: 200,
    headers: ['Content-Type', 'application/json', 'Cache-Control', 'no-store'],
    body,
  });
});
