import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { catchErrors, methodNotAllowed } from '#lib/http/api-route.ts';
import { partsOf } from '#lib/http/prepared-response.ts';
import type { Services } from '#lib/services.ts';
import type { LaneMatch } from './lane-routes.ts';

/** Answers one request by a route of the lane, without Next. */
export type Lane = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  match: LaneMatch,
) => Promise<void> | void;

/**
 * Runs the route modules of `app/` on node:http. Prepared responses go to the socket as they are;
 * any other Response goes through the adapter.
 */
export function createLane(services: Services): Lane {
  const underway = new WeakMap<object, Readonly<{ match: LaneMatch; outgoing: ServerResponse }>>();

  const listener = getRequestListener(
    async (request, { incoming }) => {
      const work = underway.get(incoming);
      const response = await answer(request, work?.match, services);
      const parts = partsOf(response);
      if (parts === undefined || work === undefined) return response;
      work.outgoing.writeHead(parts.status, parts.headers);
      work.outgoing.end(parts.body);
      return RESPONSE_ALREADY_SENT;
    },
    { overrideGlobalObjects: false },
  );

  return (incoming, outgoing, match) => {
    underway.set(incoming, { match, outgoing });
    return listener(incoming, outgoing);
  };
}

function answer(
  request: Request,
  match: LaneMatch | undefined,
  services: Services,
): Response | Promise<Response> {
  const route = match?.module[request.method];
  if (match !== undefined && route !== undefined) {
    return route(request, { params: Promise.resolve(match.params) as Promise<never> });
  }
  return catchErrors({ request, services }, () => {
    throw methodNotAllowed(request.method);
  });
}
