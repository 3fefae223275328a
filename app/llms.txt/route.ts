import { respondFromSnapshot } from '#lib/events/respond-from-snapshot.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { toLlmsTxt } from '#lib/representations/markdown/llms-txt.ts';
import { getServices } from '#lib/services.ts';
import { listLinkedPages } from '#lib/site/pages/page-table.ts';

/** The index of all pages for language models: `GET /llms.txt` (llmstxt.org). */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  async (request, services) => {
    const snapshot = await services.events.current();
    return respondFromSnapshot(request, services, snapshot, {
      key: 'llms.txt',
      contentType: 'text/plain; charset=utf-8',
      write: () => toLlmsTxt(snapshot.events, { site: services.site, pages: listLinkedPages() }),
    });
  },
);
