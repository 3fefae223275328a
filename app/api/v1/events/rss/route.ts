import { parseFeedQuery } from '#lib/events/query/parse-query.ts';
import { selectLatest } from '#lib/events/query/select-events.ts';
import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { apiLinks } from '#lib/events/view/link-headers.ts';
import { feedUrl } from '#lib/events/view/site-urls.ts';
import { toFiltersInWords } from '#lib/events/view/words/filter-words.ts';
import { toRss } from '#lib/feeds/rss.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';

/** The latest announced events as RSS 2.0, with the list's filters: `GET /api/v1/events/rss`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services) => {
    const { site } = services;
    const { query } = parseFeedQuery(request.url);
    const snapshot = await services.events.current();
    const selfUrl = feedUrl(site, 'rss', query);
    return respondFromSnapshot(request, services, snapshot, {
      key: selfUrl,
      contentType: 'application/rss+xml; charset=utf-8',
      headers: () => [apiLinks(site)],
      write: (yieldWhenDue) =>
        toRss(selectLatest(snapshot, query), {
          site,
          selfUrl,
          filters: toFiltersInWords(query),
          changedAtMs: snapshot.changedAtMs,
          yieldWhenDue,
        }),
    });
  },
);
