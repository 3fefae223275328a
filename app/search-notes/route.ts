import { expandFormats, formatQuery } from '#lib/events/query/events-query.ts';
import { parsePageQuery } from '#lib/events/query/page-query.ts';
import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { selectEvents } from '#lib/events/search/select-events.ts';
import { selectSearchNotes } from '#lib/events/view/search-notes.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { searchOf } from '#lib/http/search-parameters.ts';
import { getServices } from '#lib/services.ts';

/** What the directory says about a search that is typed in an open tab: `GET /search-notes`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services) => {
    const { query: filters } = parsePageQuery('subscribe', searchOf(request.url));
    const snapshot = await services.events.current();
    return respondFromSnapshot(request, services, snapshot, {
      key: `search notes ${formatQuery(filters)}`,
      contentType: 'application/json; charset=utf-8',
      write: () => {
        const [match] = selectEvents(snapshot, { ...expandFormats(filters), limit: 1 });
        const notes = selectSearchNotes(snapshot, filters, match === undefined);
        return `${JSON.stringify({ data: notes })}\n`;
      },
    });
  },
);
