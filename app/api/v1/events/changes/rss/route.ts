import { requireNoQuery } from '#lib/events/query/parse-query.ts';
import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { apiLinks, hubLinks } from '#lib/events/view/link-headers.ts';
import { selectChanges } from '#lib/events/view/shown-changes.ts';
import { pageUrl } from '#lib/events/view/site-urls.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { toChangesRss } from '#lib/representations/feeds/rss.ts';
import { getServices } from '#lib/services.ts';

/** What has changed in the last thirty days as RSS 2.0: `GET /api/v1/events/changes/rss`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services) => {
    requireNoQuery(request.url);
    const { site, config } = services;
    const hub = config.notifications.websubHub;
    const snapshot = await services.events.current();
    const { changedAtMs } = snapshot;
    return respondFromSnapshot(request, services, snapshot, {
      key: 'changes rss',
      contentType: 'application/rss+xml; charset=utf-8',
      headers: () => [
        apiLinks(site, hub === null ? [] : hubLinks(hub, pageUrl(site, 'changesRss'))),
      ],
      write: () => toChangesRss(selectChanges(snapshot), { site, hub, changedAtMs }),
    });
  },
);
