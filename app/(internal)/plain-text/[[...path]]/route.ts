import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';
import {
  createMarkdownErrorResponder,
  respondInMarkdown,
} from '#lib/site/pages/text/respond-in-markdown.ts';

/** The Markdown of every page as `text/plain`. The request handler and `proxy.ts` route it here. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services, { path = [] }: { path?: string[] }) =>
    respondInMarkdown(request, services, { path: `/${path.join('/')}`, type: 'text/plain' }),
  { toErrorResponse: createMarkdownErrorResponder('text/plain') },
);
