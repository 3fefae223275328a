import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';
import {
  createMarkdownErrorResponder,
  respondInMarkdown,
} from '#lib/site/pages/text/respond-in-markdown.ts';

/** Every page as Markdown. The request handler and `proxy.ts` route it here. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services, { path = [] }: { path?: string[] }) =>
    respondInMarkdown(request, services, { path: `/${path.join('/')}`, type: 'text/markdown' }),
  { toErrorResponse: createMarkdownErrorResponder('text/markdown') },
);
