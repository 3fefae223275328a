import { parseCalendarQuery } from '#lib/events/query/parse-query.ts';
import { respondFromSnapshot, storedEventsMax } from '#lib/events/respond-from-snapshot.ts';
import { selectEvents } from '#lib/events/search/select-events.ts';
import { apiLinks } from '#lib/events/view/link-headers.ts';
import { toFiltersInWords } from '#lib/events/words/filter-words.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { toICalendar, writeICalendar } from '#lib/representations/feeds/icalendar.ts';
import { getServices } from '#lib/services.ts';

/** Events as a calendar to subscribe to, with the list's filters: `GET /api/v1/events/calendar.ics`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services) => {
    const { site } = services;
    const { query, key } = parseCalendarQuery(request.url);
    const snapshot = await services.events.current();
    return respondFromSnapshot(request, services, snapshot, {
      key: `calendar ${key}`,
      contentType: 'text/calendar; charset=utf-8',
      headers: () => [apiLinks(site), ['Content-Disposition', 'inline; filename="events.ics"']],
      write(yieldWhenDue) {
        const events = selectEvents(snapshot, query);
        const options = {
          site,
          today: snapshot.day,
          revisions: snapshot.history.revisions,
          filters: toFiltersInWords(query),
          hasAlarms: query.alarms === 'true',
        };
        return events.length > storedEventsMax
          ? { parts: () => writeICalendar(events, options) }
          : toICalendar(events, { ...options, yieldWhenDue });
      },
    });
  },
);
