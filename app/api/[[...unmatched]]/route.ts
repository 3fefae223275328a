import { createApiRoute } from '#lib/http/api-route.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { getServices } from '#lib/services.ts';

/** Unknown URLs under `/api`: a 404 in the API's error format. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(getServices, () => {
  throw createApiError('not_found', {
    message: 'There is nothing at this URL.',
    hint: 'The API starts at /api/v1/events; /api/v1/openapi.json describes all of it.',
  });
});
