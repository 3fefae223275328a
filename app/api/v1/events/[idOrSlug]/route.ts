import { answerFromSnapshot } from '#lib/events/answer.ts';
import { readNoQuery } from '#lib/events/read-query.ts';
import { requireEvent } from '#lib/events/require-event.ts';
import { toEventItemJson } from '#lib/formats/json.ts';
import { eventLinks } from '#lib/formats/links.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import { getServices } from '#lib/services.ts';

/** One event, by id or slug: `GET /api/v1/events/{idOrSlug}`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services, params: { idOrSlug: string }) => {
    readNoQuery(request.url);
    const snapshot = await services.events.current();
    const event = requireEvent(snapshot, decodePathSegment(params.idOrSlug));
    return answerFromSnapshot(request, services, snapshot, {
      key: `item ${event.id}`,
      contentType: 'application/json; charset=utf-8',
      headers: () => eventLinks(services.site, event),
      write: () => toEventItemJson(event, snapshot),
    });
  },
  { produces: 'application/json' },
);
