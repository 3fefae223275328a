import { createApiRoute } from '#lib/http/api-route.ts';
import { respondWithText } from '#lib/pages/text-answer.ts';
import { getServices } from '#lib/services.ts';
import { setTypefaces } from '../../_scripts/typefaces.ts';

/** What a first page runs once it stands: `GET /scripts/typefaces.js`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services) =>
    respondWithText(request, services, {
      key: 'typefaces.js',
      contentType: 'text/javascript; charset=utf-8',
      write: () => `(${setTypefaces.toString()})();`,
    }),
);
