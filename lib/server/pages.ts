import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadDocsPage } from '#lib/docs/pages.ts';
import { findEvent } from '#lib/events/snapshot.ts';
import { toPageUrl } from '#lib/formats/site.ts';
import { toHttpError } from '#lib/http/errors.ts';
import { toCacheControl } from '#lib/http/freshness.ts';
import { toMarkdownAddress } from '#lib/http/negotiate.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import { type PageAddress, toPageAddress } from '#lib/pages/page-address.ts';
import type { Services } from '#lib/services.ts';

/** Renders what is asked of it: Next's request handler. */
export type Renderer = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** What the lane does not serve. */
export type Pages = Readonly<{
  servePage: (incoming: IncomingMessage, outgoing: ServerResponse, path: string) => Promise<void>;
  serveAsset: Renderer;
}>;

/** How a page is rendered where that is not simply what its address says. */
type Plan = Readonly<{
  /** The page that is rendered in its place. */
  instead?: string;
  status?: number;
  cacheControl?: string;
}>;

const unavailablePath = '/unavailable';
// Next's own address of `not-found.tsx`. A page that finds out by itself, in mid-rendering, is sent
// without its words, for scripts to fill in.
const notFound: Plan = { instead: '/404' };

/**
 * Pages by Next, with what Next cannot do by itself: a real 502 where the events cannot be read, a 404
 * that needs no script, `Vary: Accept`, the address of the Markdown twin, and a lifetime from the loader.
 */
export function createPages(render: Renderer, { events, site }: Services): Pages {
  async function plan(path: string): Promise<Plan> {
    const segments = path.split('/').filter(Boolean).map(decodePathSegment);
    const address = toPageAddress(segments);
    if (path === unavailablePath) return notFound;
    if (address.kind === 'docs') return loadDocsPage(address.name, site) ? {} : notFound;
    if (address.kind === 'unknown' || address.kind === 'models') return {};
    return planEvents(address);
  }

  async function planEvents(address: PageAddress): Promise<Plan> {
    try {
      const snapshot = await events.current();
      const isThere = address.kind !== 'event' || findEvent(snapshot, address.slug) !== undefined;
      return isThere ? { cacheControl: toCacheControl(events.freshSeconds(snapshot)) } : notFound;
    } catch (thrown) {
      const { status } = toHttpError(thrown);
      return { instead: unavailablePath, status, cacheControl: 'no-store' };
    }
  }

  return {
    serveAsset: render,
    async servePage(incoming, outgoing, path) {
      const { instead, status, cacheControl } = await plan(path);
      if (instead !== undefined) incoming.url = instead;
      beforeHeaders(outgoing, () => {
        if (status !== undefined) outgoing.statusCode = status;
        if (cacheControl !== undefined) outgoing.setHeader('Cache-Control', cacheControl);
        const vary = outgoing.getHeader('vary');
        outgoing.setHeader('Vary', vary === undefined ? 'Accept' : `${String(vary)}, Accept`);
        const twin = `<${toPageUrl(site, toMarkdownAddress(path))}>`;
        outgoing.appendHeader('Link', `${twin}; rel="alternate"; type="text/markdown"`);
      });
      return render(incoming, outgoing);
    },
  };
}

// Next sets `Vary` and the status itself, late: the last word is had where the headers leave.
function beforeHeaders(outgoing: ServerResponse, change: () => void): void {
  const writeHead = outgoing.writeHead.bind(outgoing);
  outgoing.writeHead = (status: number, ...given: unknown[]) => {
    outgoing.statusCode = status;
    outgoing.writeHead = writeHead;
    change();
    return Reflect.apply(writeHead, outgoing, [outgoing.statusCode, ...given]);
  };
}
