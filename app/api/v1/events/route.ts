import { parseListQuery } from '#lib/events/query/parse-query.ts';
import { respondFromSnapshot, storedEventsMax } from '#lib/events/respond-from-snapshot.ts';
import { answerQuery } from '#lib/events/view/answer-query.ts';
import { toEventListJson, writeEventListJson } from '#lib/events/view/events-json.ts';
import { apiLinks } from '#lib/events/view/link-headers.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';

/** The list of events: `GET /api/v1/events`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services) => {
    const { query, key } = parseListQuery(request.url);
    const snapshot = await services.events.current();
    return respondFromSnapshot(request, services, snapshot, {
      key: `list ${key}`,
      contentType: 'application/json; charset=utf-8',
      changesWithEveryRead: true,
      headers: () => [apiLinks(services.site)],
      write(yieldWhenDue) {
        const { events, closest } = answerQuery(snapshot, query);
        return events.length > storedEventsMax
          ? { parts: () => writeEventListJson(events, snapshot) }
          : toEventListJson(events, { ...snapshot, closest }, yieldWhenDue);
      },
    });
  },
  { produces: 'application/json' },
);
