import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { writeFullText } from '#lib/representations/markdown/llms-txt.ts';
import { getServices } from '#lib/services.ts';

/** The documentation and all events in full, for language models: `GET /llms-full.txt`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services) => {
    const snapshot = await services.events.current();
    return respondFromSnapshot(request, services, snapshot, {
      key: 'llms-full.txt',
      contentType: 'text/plain; charset=utf-8',
      write: (yieldWhenDue) =>
        writeFullText(snapshot, { site: services.config.site, yieldWhenDue }),
    });
  },
);
