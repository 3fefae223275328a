import { createApiRoute } from '#lib/http/api-route.ts';
import { respondInMarkdown, toMarkdownErrorResponse } from '#lib/pages/markdown-answer.ts';
import { getServices } from '#lib/services.ts';
import { loadModels } from '../../../models/load-models.ts';

/** The Markdown twin of every page; the front and `proxy.ts` send here. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services, { path = [] }: { path?: string[] }) =>
    respondInMarkdown(request, services, {
      segments: path,
      loadModels: () => loadModels(services),
    }),
  { toErrorResponse: toMarkdownErrorResponse },
);
