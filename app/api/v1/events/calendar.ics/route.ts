import { answerFromSnapshot } from '#lib/events/answer.ts';
import { readListQuery } from '#lib/events/read-query.ts';
import { selectEvents } from '#lib/events/select.ts';
import { toICalendar } from '#lib/formats/icalendar.ts';
import { apiLinks } from '#lib/formats/links.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';

/** Events as a calendar to subscribe to, with the list's filters: `GET /api/v1/events/calendar.ics`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services) => {
    const { site } = services;
    const { query, key } = readListQuery(request.url);
    const snapshot = await services.events.current();
    return answerFromSnapshot(request, services, snapshot, {
      key: `calendar ${key}`,
      contentType: 'text/calendar; charset=utf-8',
      headers: () => [...apiLinks(site), 'Content-Disposition', 'inline; filename="events.ics"'],
      write: (pace) => toICalendar(selectEvents(snapshot, query), { site, pace }),
    });
  },
);
