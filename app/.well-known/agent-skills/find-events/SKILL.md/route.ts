import { createApiRoute } from '#lib/http/api-route.ts';
import { toFindEventsSkill } from '#lib/representations/discovery.ts';
import { getServices } from '#lib/services.ts';
import { respondWithText } from '#lib/site/pages/respond-with-text.ts';

/** How agents find events here: `GET /.well-known/agent-skills/find-events/SKILL.md`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services) =>
    respondWithText(request, services, {
      key: 'find-events skill',
      contentType: 'text/markdown; charset=utf-8',
      write: () => toFindEventsSkill(services.site),
    }),
);
