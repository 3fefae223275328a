import { createApiRoute } from '#lib/http/api-route.ts';
import { toRobotsTxt } from '#lib/representations/seo/sitemap.ts';
import { getServices } from '#lib/services.ts';
import { respondWithText } from '#lib/site/pages/respond-with-text.ts';

/** The rules for crawlers: `GET /robots.txt`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services) =>
    respondWithText(request, services, {
      key: 'robots.txt',
      contentType: 'text/plain; charset=utf-8',
      write: () => toRobotsTxt(services.site, services.config.site),
    }),
);
