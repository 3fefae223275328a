import { createApiRoute } from '#lib/http/api-route.ts';
import { createResponse } from '#lib/http/response.ts';
import { toSpeculationRules } from '#lib/pages/speculation-rules.ts';
import { getServices } from '#lib/services.ts';

/** What browsers may load ahead: `GET /speculation-rules.json`, named by a header of every page. */
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
