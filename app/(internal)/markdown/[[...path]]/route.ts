import { createApiRoute } from '#lib/http/api-route.ts';
import {
  createMarkdownErrorResponder,
  respondInMarkdown,
} from '#lib/pages/text/respond-in-markdown.ts';
import { getServices } from '#lib/services.ts';

/** Every page as Markdown. The request handler and `proxy.ts` route it here. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services, { path = [] }: { path?: string[] }) =>
    respondInMarkdown(request, services, { path: `/${path.join('/')}`, type: 'text/markdown' }),
  { toErrorResponse: createMarkdownErrorResponder('text/markdown') },
);
