import type { IncomingMessage, ServerResponse } from 'node:http';
import { toHttpError } from '#lib/http/errors.ts';
import { toCacheControl } from '#lib/http/freshness.ts';
import { toMarkdownAddress } from '#lib/http/negotiate.ts';
import type { Services } from '#lib/services.ts';

/** Renders what is asked of it: Next's request handler. */
export type Renderer = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** What the lane does not serve. */
export type Pages = Readonly<{
  servePage: (incoming: IncomingMessage, outgoing: ServerResponse, path: string) => Promise<void>;
  serveAsset: Renderer;
}>;

/** The page that stands in for one whose events cannot be read. */
const unavailablePath = '/unavailable';

/**
 * Pages by Next, with what Next cannot do by itself: a real 502 where the events cannot be read,
 * `Vary: Accept`, the address of the Markdown twin, and a lifetime from the loader.
 */
export function createPages(render: Renderer, { events, site }: Services): Pages {
  async function servePage(incoming: IncomingMessage, outgoing: ServerResponse, path: string) {
    const link = `<${site.url}${toMarkdownAddress(path)}>; rel="alternate"; type="text/markdown"`;
    if (!showsEvents(path)) {
      beforeHeaders(outgoing, () => setPageHeaders(outgoing, { link, cacheControl: null }));
      return render(incoming, outgoing);
    }
    try {
      const snapshot = await events.current();
      const cacheControl = toCacheControl(events.freshSeconds(snapshot));
      beforeHeaders(outgoing, () => setPageHeaders(outgoing, { link, cacheControl }));
    } catch (thrown) {
      const { status } = toHttpError(thrown);
      incoming.url = unavailablePath;
      beforeHeaders(outgoing, () => {
        setPageHeaders(outgoing, { link, cacheControl: 'no-store' });
        outgoing.statusCode = status;
      });
    }
    return render(incoming, outgoing);
  }

  return { servePage, serveAsset: render };
}

function showsEvents(path: string): boolean {
  return path === '/' || path.startsWith('/events/');
}

type PageHeaders = Readonly<{ link: string; cacheControl: string | null }>;

function setPageHeaders(outgoing: ServerResponse, { link, cacheControl }: PageHeaders): void {
  const vary = outgoing.getHeader('vary');
  outgoing.setHeader('Vary', vary === undefined ? 'Accept' : `${String(vary)}, Accept`);
  outgoing.appendHeader('Link', link);
  if (cacheControl !== null && outgoing.statusCode === 200) {
    outgoing.setHeader('Cache-Control', cacheControl);
  }
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
