import { createApiRoute } from '#lib/http/api-route.ts';
import { HttpError } from '#lib/http/errors.ts';
import { prepareResponse } from '#lib/http/prepared-response.ts';
import { getReference } from '#lib/openapi/reference.ts';
import { toRequestPath } from '#lib/openapi/request-path.ts';
import { getServices } from '#lib/services.ts';

/** Leads a form whose value belongs into a path to that path: `GET /docs/try?operation=…`. Needed without JavaScript alone. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, { site }) => {
    const { searchParams } = new URL(request.url);
    const id = searchParams.get('operation');
    const operation = getReference(site).operations.find((one) => one.id === id);
    if (operation === undefined) {
      throw new HttpError('not_found', {
        message: 'No operation has that name.',
        hint: 'Use the forms of /docs/api.',
      });
    }
    const location = toRequestPath(operation, searchParams);
    return prepareResponse({
      status: 303,
      headers: ['Location', location, 'Cache-Control', 'no-store', 'Content-Length', '0'],
      body: null,
    });
  },
);
