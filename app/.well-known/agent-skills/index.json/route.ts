import { createApiRoute } from '#lib/http/api-route.ts';
import { toSkillsIndex } from '#lib/representations/discovery.ts';
import { getServices } from '#lib/services.ts';
import { respondWithText } from '#lib/site/pages/respond-with-text.ts';

/** The skills of the site: `GET /.well-known/agent-skills/index.json`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services) =>
    respondWithText(request, services, {
      key: 'agent-skills',
      contentType: 'application/json; charset=utf-8',
      write: () => toSkillsIndex(services.site),
    }),
);
