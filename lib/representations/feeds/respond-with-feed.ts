import { parseFeedQuery } from '#lib/events/query/parse-query.ts';
import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { selectLatest } from '#lib/events/search/select-events.ts';
import { apiLinks, hubLinks } from '#lib/events/view/link-headers.ts';
import { type FeedType, feedTable } from '#lib/events/view/representation-table.ts';
import { feedUrl, type Site } from '#lib/events/view/site-urls.ts';
import { toFiltersInWords } from '#lib/events/words/filter-words.ts';
import { toAtom } from './atom.ts';
import { toJsonFeed } from './json-feed.ts';
import { toRss } from './rss.ts';

const writers: Readonly<Record<FeedType, typeof toRss>> = {
  rss: toRss,
  atom: toAtom,
  json: toJsonFeed,
};

type Services = Parameters<typeof respondFromSnapshot>[1] &
  Readonly<{
    site: Site;
    config: Readonly<{ notifications: Readonly<{ websubHub: string | null }> }>;
  }>;

/** The latest announced events as a feed, with the list's filters. */
export async function respondWithFeed(
  request: Request,
  services: Services,
  type: FeedType,
): Promise<Response> {
  const { site, config } = services;
  const { query } = parseFeedQuery(request.url);
  const snapshot = await services.events.current();
  const selfUrl = feedUrl(site, type, query);
  // The hub is told of the feed without filters alone.
  const hub = selfUrl === feedUrl(site, type, {}) ? config.notifications.websubHub : null;
  return respondFromSnapshot(request, services, snapshot, {
    key: selfUrl,
    contentType: `${feedTable[type].mediaType}; charset=utf-8`,
    headers: () => [apiLinks(site, hub === null ? [] : hubLinks(hub, selfUrl))],
    write: (yieldWhenDue) =>
      writers[type](selectLatest(snapshot, query), {
        site,
        selfUrl,
        hub,
        filters: toFiltersInWords(query),
        changedAtMs: snapshot.changedAtMs,
        lastChanges: snapshot.history.lastChanges,
        yieldWhenDue,
      }),
  });
}
