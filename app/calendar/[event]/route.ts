import { answerFromSnapshot } from '#lib/events/answer.ts';
import { answerMoved } from '#lib/events/answer-moved.ts';
import { readNoQuery } from '#lib/events/read-query.ts';
import { requireEvent } from '#lib/events/require-event.ts';
import { toEventICalendar } from '#lib/formats/icalendar.ts';
import { eventLinks } from '#lib/formats/links.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import { getServices } from '#lib/services.ts';

/** One event as a calendar file: `GET /events/{slug}.ics`; the front and `proxy.ts` send here. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services, params: { event: string }) => {
    const { site } = services;
    readNoQuery(request.url);
    const snapshot = await services.events.current();
    const name = decodePathSegment(params.event);
    const moved = answerMoved(snapshot, services.events, { name, extension: '.ics' });
    if (moved !== null) return moved;
    const event = requireEvent(snapshot, name);
    return answerFromSnapshot(request, services, snapshot, {
      key: `calendar of ${event.id}`,
      contentType: 'text/calendar; charset=utf-8',
      headers: () => [
        ...eventLinks(site, event),
        ...['Content-Disposition', `inline; filename="${event.slug}.ics"`],
      ],
      write: () => toEventICalendar(event, { site }),
    });
  },
);
