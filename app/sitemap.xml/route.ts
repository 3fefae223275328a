import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { toSitemap } from '#lib/representations/seo/sitemap.ts';
import { getServices } from '#lib/services.ts';
import { listSitemapPaths } from '#lib/site/pages/page-table.ts';

/** The sitemap: `GET /sitemap.xml`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services) => {
    const { site } = services;
    const snapshot = await services.events.current();
    return respondFromSnapshot(request, services, snapshot, {
      key: 'sitemap.xml',
      contentType: 'application/xml; charset=utf-8',
      write: (yieldWhenDue) =>
        toSitemap(
          { site, paths: listSitemapPaths(snapshot), events: snapshot.events },
          yieldWhenDue,
        ),
    });
  },
);
