import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { findRenamed } from '#lib/events/former-slugs.ts';
import { corsHeaders } from '#lib/http/cors.ts';
import { toCacheControl } from '#lib/http/freshness.ts';
import { choosePage, toFormRoute } from '#lib/http/negotiate.ts';
import { decodePathSegment, parseTarget, toCanonicalPath } from '#lib/http/path.ts';
import { partsOf } from '#lib/http/prepared-response.ts';
import { toRequestId } from '#lib/http/request-id.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';
import { answerNotAcceptable } from '#lib/pages/not-acceptable.ts';
import type { Services } from '#lib/services.ts';
import type { AnswerCache } from './answer-cache.ts';
import { createLane } from './lane.ts';
import { loadLaneRoutes } from './lane-routes.ts';
import type { Pages } from './pages.ts';
import { respondPlainly } from './plain-answer.ts';

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
  const { events, site } = services;

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
    if (path !== target.path) {
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

  async function serve(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    path: string,
  ): Promise<void> {
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
    const moved = choice.form === 'none' ? null : await findMoved(path);
    if (moved !== null) {
      redirect(outgoing, moved.path, moved.cacheControl);
      return;
    }
    if (choice.form === 'html') return pages.servePage(incoming, outgoing, path);
    const route = toFormRoute(choice);
    const match = route === null ? null : routes.match(route);
    if (match !== null) return lane(incoming, outgoing, match);
    respondNotAcceptable(incoming, outgoing, path);
  }

  // What is renamed while the process runs leads on, in the form that it was asked for in. Where the
  // events cannot be read, whoever serves the page says so.
  async function findMoved(path: string) {
    const [, name, extension = ''] = eventPath.exec(path) ?? [];
    if (name === undefined) return null;
    const snapshot = events.peek() ?? (await events.current().catch(() => null));
    const event = snapshot && findRenamed(snapshot, decodePathSegment(name));
    if (!event) return null;
    const cacheControl = toCacheControl(events.freshSeconds(snapshot));
    return { path: `/events/${event.slug}${extension}`, cacheControl };
  }

  function respondNotAcceptable(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    path: string,
  ): void {
    const { accept = null, 'x-request-id': requestId } = incoming.headers;
    const parts = partsOf(answerNotAcceptable({ path, accept }, site));
    if (!(parts?.body instanceof Uint8Array)) throw new TypeError('A 406 is a whole answer.');
    const own = ['X-Request-Id', toRequestId(requestId), ...commonSecurityHeaders];
    outgoing.writeHead(parts.status, [...parts.headers, ...own]);
    outgoing.end(incoming.method === 'HEAD' ? undefined : parts.body);
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

/** An event's page, in any form. */
const eventPath = /^\/events\/([^/]+?)(\.md|\.ics)?$/;

// Files of the build and of `public/`: they have one form each.
function isAsset(path: string): boolean {
  return path.startsWith('/_next/') || /\.(?!md$|ics$)[a-z0-9]+$/i.test(path);
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function redirect(outgoing: ServerResponse, location: string, cacheControl?: string): void {
  const headers = ['Location', location, 'Content-Length', '0', 'X-Request-Id', randomUUID()];
  if (cacheControl !== undefined) headers.push('Cache-Control', cacheControl);
  outgoing.writeHead(308, [...headers, ...corsHeaders]);
  outgoing.end();
}
