import { createApiRoute } from '#lib/http/api-route.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { createResponse } from '#lib/http/response.ts';
import { toSecurityTxt } from '#lib/representations/discovery.ts';
import { getServices } from '#lib/services.ts';

/** Whom to tell about a vulnerability: `GET /.well-known/security.txt` (RFC 9116). */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (_, { site, config }) => {
    const { contactUrl } = config.site;
    if (contactUrl === null) {
      throw createApiError('not_found', { message: 'This site has no contact.' });
    }
    return createResponse({
      status: 200,
      headers: [
        ['Content-Type', 'text/plain; charset=utf-8'],
        ['Cache-Control', 'public, max-age=86400'],
      ],
      body: toSecurityTxt(site, { contactUrl, now: Date.now() }),
    });
  },
);
