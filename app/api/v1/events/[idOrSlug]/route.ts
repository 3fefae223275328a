import { requireNoQuery } from '#lib/events/query/parse-query.ts';
import { requireEventOrRedirect, respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { toEventItemJson } from '#lib/events/view/events-json.ts';
import { eventLinks } from '#lib/events/view/link-headers.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import { getServices } from '#lib/services.ts';

/** One event, by id or slug: `GET /api/v1/events/{idOrSlug}`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services, params: { idOrSlug: string }) => {
    requireNoQuery(request.url);
    const snapshot = await services.events.current();
    const event = await requireEventOrRedirect(snapshot, services.events, {
      slug: decodePathSegment(params.idOrSlug),
      toPath: (slug) => `/api/v1/events/${slug}`,
      removedStatus: 404,
    });
    if (event instanceof Response) return event;
    return respondFromSnapshot(request, services, snapshot, {
      key: `item ${event.id}`,
      contentType: 'application/json; charset=utf-8',
      changesWithEveryRead: true,
      headers: () => [eventLinks(services.site, event)],
      write: () => toEventItemJson(event, snapshot),
    });
  },
  { produces: 'application/json' },
);
