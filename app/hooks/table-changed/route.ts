import { createHookRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';

/** The table’s own call after an edit: `POST /hooks/table-changed`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createHookRoute(
  getServices,
  (request, { respondToTableHook }) => respondToTableHook(request),
);
