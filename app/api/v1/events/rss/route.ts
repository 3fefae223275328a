import { answerFromSnapshot } from '#lib/events/answer.ts';
import { readFeedQuery } from '#lib/events/read-query.ts';
import { selectLatest } from '#lib/events/select.ts';
import { apiLinks } from '#lib/formats/links.ts';
import { toRss } from '#lib/formats/rss.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';

/** What was announced last, as RSS 2.0: `GET /api/v1/events/rss`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services) => {
    const { site } = services;
    const { limit } = readFeedQuery(request.url).query;
    const snapshot = await services.events.current();
    const selfUrl = `${site.url}/api/v1/events/rss${limit === undefined ? '' : `?limit=${limit}`}`;
    return answerFromSnapshot(request, services, snapshot, {
      key: selfUrl,
      contentType: 'application/rss+xml; charset=utf-8',
      headers: () => apiLinks(site),
      write: (pace) =>
        toRss(selectLatest(snapshot, limit ?? 20), {
          site,
          selfUrl,
          generatedAt: snapshot.generatedAt,
          pace,
        }),
    });
  },
);
