import { requireNoQuery } from '#lib/events/query/parse-query.ts';
import { redirectRenamed, respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { requireEvent } from '#lib/events/search/select-events.ts';
import { eventLinks } from '#lib/events/view/link-headers.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import { toEventICalendar } from '#lib/representations/feeds/icalendar.ts';
import { getServices } from '#lib/services.ts';

/** One event as a calendar file: `GET /events/{slug}.ics`. The request handler and `proxy.ts` route it here. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services, params: { event: string }) => {
    const { site } = services;
    requireNoQuery(request.url);
    const snapshot = await services.events.current();
    const slug = decodePathSegment(params.event);
    const redirect = redirectRenamed(snapshot, services.events, { slug, extension: '.ics' });
    if (redirect !== null) return redirect;
    const event = requireEvent(snapshot, slug);
    return respondFromSnapshot(request, services, snapshot, {
      key: `calendar of ${event.id}`,
      contentType: 'text/calendar; charset=utf-8',
      headers: () => [
        eventLinks(site, event),
        ['Content-Disposition', `inline; filename="${event.slug}.ics"`],
      ],
      write: () =>
        toEventICalendar(event, { site, today: snapshot.day, revisions: snapshot.revisions }),
    });
  },
);
