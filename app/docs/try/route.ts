import { createApiRoute } from '#lib/http/api-route.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { createResponse } from '#lib/http/response.ts';
import { getReference } from '#lib/representations/openapi/reference.ts';
import { toRequestPath } from '#lib/representations/openapi/samples.ts';
import { getServices } from '#lib/services.ts';

/** Redirects a form to a path with its values: `GET /docs/try?operation=…`. Only used without JavaScript. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, { site }) => {
    const { searchParams } = new URL(request.url);
    const id = searchParams.get('operation');
    const operation = getReference(site).operations.find((operation) => operation.id === id);
    if (operation === undefined) {
      throw createApiError('not_found', {
        message: 'No operation has that name.',
        hint: 'Use the forms of /docs/api.',
      });
    }
    const location = toRequestPath(operation, searchParams);
    return createResponse({
      status: 303,
      headers: [
        ['Location', location],
        ['Cache-Control', 'no-store'],
      ],
      body: '',
    });
  },
);
