import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { corsHeaders } from '#lib/http/cors.ts';
import { choosePage, toFormRoute } from '#lib/http/negotiate.ts';
import { isDecodable, parseTarget, toCanonicalPath } from '#lib/http/path.ts';
import { respondNotAcceptable } from '#lib/pages/not-acceptable.ts';
import type { Services } from '#lib/services.ts';
import type { AnswerCache } from './answer-cache.ts';
import { createLane } from './lane.ts';
import { loadLaneRoutes } from './lane-routes.ts';
import type { Pages } from './pages.ts';
import { respondPlainly, sendParts } from './plain-answer.ts';

/** Fixed: no answer may depend on the Host header, so nobody behind the front gets to see one. */
const host = 'localhost';

const pageMethods = 'GET, HEAD, OPTIONS';

type Handled = Promise<void> | void;

/**
 * The front of the house: the lane for all that needs no rendering, Markdown among it, and Next for
 * the pages that are left.
 */
export async function createFront(
  services: Services,
  pages: Pages,
  answers: AnswerCache,
): Promise<RequestListener> {
  const routes = await loadLaneRoutes();
  const lane = createLane(answers);
  const { site } = services;

  function handle(incoming: IncomingMessage, outgoing: ServerResponse): Handled {
    const target = parseTarget(incoming.url ?? '');
    if (incoming.url === '*' && incoming.method === 'OPTIONS') {
      respondPlainly(outgoing, 204, '', { Allow: pageMethods });
      return;
    }
    if (target === null) {
      respondPlainly(outgoing, 400, 'That is no address of this server.');
      return;
    }
    const path = toCanonicalPath(target.path);
    // A preflight must not be redirected (Fetch §4.8): what it asks for may be, in its turn.
    if (path !== target.path && incoming.method !== 'OPTIONS') {
      redirect(outgoing, path + target.search);
      return;
    }
    incoming.headers.host = host;
    incoming.url = path + target.search;
    const match = routes.match(path);
    if (match !== null) return lane(incoming, outgoing, match);
    return isAsset(path)
      ? pages.serveAsset(incoming, outgoing, path)
      : serve(incoming, outgoing, path);
  }

  function serve(incoming: IncomingMessage, outgoing: ServerResponse, path: string): Handled {
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD') {
      const status = incoming.method === 'OPTIONS' ? 204 : 405;
      respondPlainly(outgoing, status, '', { Allow: pageMethods });
      return;
    }
    if (!isDecodable(path)) {
      respondPlainly(outgoing, 400, 'The address holds a malformed percent escape.');
      return;
    }
    const choice = choosePage(path, incoming.headers.accept ?? null);
    if (choice.form === 'html') return pages.servePage(incoming, outgoing, path);
    const route = toFormRoute(choice);
    const match = route === null ? null : routes.match(route);
    if (match !== null) return lane(incoming, outgoing, match);
    const { accept = null } = incoming.headers;
    sendParts(incoming, outgoing, respondNotAcceptable({ path, accept }, site));
  }

  return (incoming, outgoing) => {
    if (answers.send(incoming, outgoing)) return;
    Promise.try(handle, incoming, outgoing).catch((error: unknown) => {
      services.log.error({ err: error }, 'a request failed in the front');
      if (outgoing.headersSent) outgoing.destroy();
      else respondPlainly(outgoing, 500, 'Something went wrong on our side. Try again.');
    });
  };
}

// Files of the build and of `public/`: they have one form each.
function isAsset(path: string): boolean {
  return path.startsWith('/_next/') || /\.(?!md$|ics$)[a-z0-9]+$/i.test(path);
}

function redirect(outgoing: ServerResponse, location: string): void {
  const headers = ['Location', location, 'Content-Length', '0', 'X-Request-Id', randomUUID()];
  outgoing.writeHead(308, [...headers, ...corsHeaders]);
  outgoing.end();
}
