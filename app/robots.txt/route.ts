import { toRobotsTxt } from '#lib/formats/robots-txt.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { answerWithText } from '#lib/pages/text-answer.ts';
import { getServices } from '#lib/services.ts';

/** What crawlers may read: `GET /robots.txt`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services) =>
    answerWithText(request, services, {
      key: 'robots.txt',
      contentType: 'text/plain; charset=utf-8',
      write: () => toRobotsTxt(services.site),
    }),
);
