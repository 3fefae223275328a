import { answerFromSnapshot } from '#lib/events/answer.ts';
import { readFeedQuery } from '#lib/events/read-query.ts';
import { selectLatest } from '#lib/events/select.ts';
import { toJsonFeed } from '#lib/formats/json-feed.ts';
import { apiLinks } from '#lib/formats/links.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';

/** What was announced last, as JSON Feed 1.1: `GET /api/v1/events/feed.json`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services) => {
    const { site } = services;
    const { limit } = readFeedQuery(request.url).query;
    const snapshot = await services.events.current();
    const selfUrl = `${site.url}/api/v1/events/feed.json${limit === undefined ? '' : `?limit=${limit}`}`;
    return answerFromSnapshot(request, services, snapshot, {
      key: selfUrl,
      contentType: 'application/feed+json; charset=utf-8',
      headers: () => apiLinks(site),
      write: (pace) =>
        toJsonFeed(selectLatest(snapshot, limit ?? 20), {
          site,
          selfUrl,
          generatedAt: snapshot.generatedAt,
          pace,
        }),
    });
  },
);
