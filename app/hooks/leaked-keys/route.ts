import { createHookRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';

/** Reports of GitHub’s secret scanning: `POST /hooks/leaked-keys`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createHookRoute(
  getServices,
  (request, { leakedKeys }) => leakedKeys.respondToReport(request),
);
