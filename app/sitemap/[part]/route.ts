import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { countSitemapParts, toSitemapPart } from '#lib/representations/seo/sitemap.ts';
import { getServices } from '#lib/services.ts';
import { listSitemapPaths } from '#lib/site/pages/page-table.ts';

/** A part of a sitemap that is too long for one file: `GET /sitemap/1.xml`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services, params: { part: string }) => {
    const { site } = services;
    const [, digits] = /^([1-9]\d{0,4})\.xml$/.exec(params.part) ?? [];
    const part = Number(digits);
    const snapshot = await services.events.current();
    const contents = { site, paths: listSitemapPaths(snapshot), events: snapshot.events };
    if (digits === undefined || part > countSitemapParts(contents)) {
      throw createApiError('not_found', {
        message: 'The sitemap has no such part.',
        hint: 'Start at /sitemap.xml.',
      });
    }
    return respondFromSnapshot(request, services, snapshot, {
      key: `sitemap ${part}`,
      contentType: 'application/xml; charset=utf-8',
      write: (yieldWhenDue) => toSitemapPart(contents, part, yieldWhenDue),
    });
  },
);
