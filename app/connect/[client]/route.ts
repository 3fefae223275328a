import { createApiRoute } from '#lib/http/api-route.ts';
import { getServices } from '#lib/services.ts';
import { respondWithConnectScript } from '#lib/site/pages/connect-script-route.ts';

type Parameters = Readonly<{ client: string }>;

/** The script that connects a coding agent: `GET /connect/codex?model=…`. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createApiRoute(
  getServices,
  (request, services, { client }: Parameters) =>
    respondWithConnectScript(request, services, client),
);
