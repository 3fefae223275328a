import { toSkillsIndex } from '#lib/agents/skills.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { respondWithText } from '#lib/pages/text/respond-with-text.ts';
import { getServices } from '#lib/services.ts';

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
