import { parseFeedQuery } from '#lib/events/query/parse-query.ts';
import { selectLatest } from '#lib/events/query/select-events.ts';
import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { apiLinks } from '#lib/events/view/link-headers.ts';
import { feedUrl } from '#lib/events/view/site-urls.ts';
import { toFiltersInWords } from '#lib/events/view/words/filter-words.ts';
import { toJsonFeed } from '#lib/feeds/json-feed.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';

/** The latest announced events as JSON Feed 1.1, with the list's filters: `GET /api/v1/events/feed.json`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services) => {
    const { site } = services;
    const { query } = parseFeedQuery(request.url);
    const snapshot = await services.events.current();
    const selfUrl = feedUrl(site, 'jsonFeed', query);
    return respondFromSnapshot(request, services, snapshot, {
      key: selfUrl,
      contentType: 'application/feed+json; charset=utf-8',
      headers: () => [apiLinks(site)],
      write: (yieldWhenDue) =>
        toJsonFeed(selectLatest(snapshot, query), {
          site,
          selfUrl,
          filters: toFiltersInWords(query),
          changedAtMs: snapshot.changedAtMs,
          yieldWhenDue,
        }),
    });
  },
);
