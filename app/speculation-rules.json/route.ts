import { createApiRoute } from '#lib/http/api-route.ts';
import { createResponse } from '#lib/http/response.ts';
import { getServices } from '#lib/services.ts';
import { toSpeculationRules } from '#lib/site/pages/page-table.ts';

/** The Speculation Rules of all pages, which link to it by a header: `GET /speculation-rules.json`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request) =>
    createResponse({
      status: 200,
      headers: [
        ['Content-Type', 'application/speculationrules+json'],
        ['Cache-Control', 'public, max-age=300'],
        ['Vary', 'Save-Data'],
      ],
      body: toSpeculationRules({ savesData: request.headers.get('save-data') === 'on' }),
    }),
);
