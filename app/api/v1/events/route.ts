import { answerFromSnapshot } from '#lib/events/answer.ts';
import { readListQuery } from '#lib/events/read-query.ts';
import { selectEvents } from '#lib/events/select.ts';
import { toEventListJson } from '#lib/formats/json.ts';
import { apiLinks } from '#lib/formats/links.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';

/** The list of events: `GET /api/v1/events`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services) => {
    const { query, key } = readListQuery(request.url);
    const snapshot = await services.events.current();
    return answerFromSnapshot(request, services, snapshot, {
      key: `list ${key}`,
      contentType: 'application/json; charset=utf-8',
      headers: () => apiLinks(services.site),
      write: (pace) => toEventListJson(selectEvents(snapshot, query), snapshot, pace),
    });
  },
  { produces: 'application/json' },
);
