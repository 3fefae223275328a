import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFilterTexts, toSearch } from '#lib/events/query/filters.ts';
import { toPageUrl } from '#lib/events/view/site-urls.ts';
import { toMarkdownPath } from '#lib/http/negotiate.ts';
import type { Freshness } from '#lib/http/prepared-response.ts';
import { createRepresentation, type Representation } from '#lib/http/representation.ts';
import { toRequestId } from '#lib/http/request-id.ts';
import { pageSecurityHeaders } from '#lib/http/security-headers.ts';
import type { Services } from '#lib/services.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { NextHandler } from './next-handler.ts';
import { createPageDataStore, type PageData } from './page-data.ts';
import { createPageRenderer, type RenderedPage } from './page-renderer.ts';
import { respondPlainly } from './plain-answer.ts';
import { routerHeaders } from './router-headers.ts';
import { sendRepresentation } from './send-representation.ts';

/** What a page that may be kept was made from, and for how long it holds. */
export type KeptPage = Readonly<{
  /** The page goes with it. */
  madeFrom: object;
  /** Unix time in ms of the last change to what it shows. */
  changedAtMs: number;
  freshness: Freshness;
  /** Whether it is one of the few that most visitors see, so that its size counts most. */
  isForMany: boolean;
}>;

type OncePage = Readonly<{
  /** The page that is rendered, which may stand in for the one that was asked for. */
  url: string;
  /** null: as it turns out. */
  status: number | null;
}>;

type WantedData = Readonly<{
  digest: string;
  /** The page that it belongs to… */
  url: string;
  /** …as it is now, where it is one that is kept. */
  page: KeptPage | null;
}>;

/** Sends pages that Next renders. */
export type PageSender = Readonly<{
  /** A page that holds for others, rendered by the first who asks for it. */
  sendKept: (incoming: IncomingMessage, outgoing: ServerResponse, page: KeptPage) => Promise<void>;
  /** A page that is for this caller alone, an error most often: no cache may store it. */
  sendOnce: (incoming: IncomingMessage, outgoing: ServerResponse, page: OncePage) => Promise<void>;
  /** What a page's client program starts from. */
  sendData: (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    data: WantedData,
  ) => Promise<void>;
}>;

/** A page that came out otherwise than planned, so that it must not be kept. */
class UnkeptPage extends Error {
  readonly page: RenderedPage;
  constructor(page: RenderedPage) {
    super('The page is not one to keep.');
    this.page = page;
  }
}

export function createPageSender(
  handle: NextHandler,
  { site, representations }: Services,
  answers: AnswerCache,
): PageSender {
  const dataStore = createPageDataStore();
  const render = createPageRenderer(handle, dataStore);
  const dataOfKept = new WeakMap<Representation, PageData>();
  const isHttps = site.url.startsWith('https:');

  async function renderToKeep(
    url: string,
    headers: IncomingMessage['headers'],
    { changedAtMs, isForMany }: KeptPage,
  ): Promise<Representation> {
    const page = await render(url, headers);
    if (page.status !== 200) throw new UnkeptPage(page);
    const representation = createRepresentation({
      contentType: page.headers['content-type'] ?? 'text/html; charset=utf-8',
      body: page.body,
      lastModifiedMs: changedAtMs,
      vary: pageVary,
      headers: toPageHeaders(page, url),
      // Of addresses with a query there is no end.
      compression: isForMany && !url.includes('?') ? 'best' : 'usual',
    });
    if (page.data) dataOfKept.set(representation, page.data);
    return representation;
  }

  // In another process, or once much else was asked for, it is made again with its page.
  async function findData({ digest, url, page }: WantedData): Promise<PageData | undefined> {
    const known = dataStore.find(digest);
    if (known !== undefined || page === null) return known;
    try {
      const current = dataOfKept.get(
        await representations.get(page.madeFrom, toKey(url, {}), () => renderToKeep(url, {}, page)),
      );
      return current?.digest === digest ? current : undefined;
    } catch (error) {
      if (error instanceof UnkeptPage) return undefined;
      throw error;
    }
  }

  function toPageHeaders({ headers, body }: RenderedPage, url: string): string[] {
    const [path = '/', query = ''] = url.split('?');
    // The directory goes through the filters in its address, and so does its twin.
    const page = Number(new URLSearchParams(query).get('page'));
    const search = path === '/' ? toSearch(readFilterTexts(query), page) : '';
    const twin = `<${toPageUrl(site, toMarkdownPath(path))}${search}>; rel="alternate"; type="text/markdown"`;
    const isHtml = headers['content-type']?.startsWith('text/html') ?? true;
    const html = isHtml ? body.toString() : '';
    return ['Link', twin, ...pageSecurityHeaders({ html, isHttps })];
  }

  function sendUnkept(outgoing: ServerResponse, page: RenderedPage, more: readonly string[]): void {
    const { 'content-type': type = 'text/html; charset=utf-8', location } = page.headers;
    const list = ['Content-Type', type, 'Cache-Control', 'no-store', 'Vary', pageVary];
    if (location !== undefined) list.push('Location', location);
    list.push('Content-Length', String(page.body.length), ...more);
    outgoing.writeHead(page.status, list);
    outgoing.end(outgoing.req.method === 'HEAD' ? undefined : page.body);
  }

  return {
    async sendKept(incoming, outgoing, page) {
      const { url = '/', headers } = incoming;
      let isFound = true;
      try {
        const representation = await representations.get(page.madeFrom, toKey(url, headers), () => {
          isFound = false;
          return renderToKeep(url, headers, page);
        });
        const own = ['X-Cache', isFound ? 'hit' : 'miss'];
        const sent = { representation, freshness: page.freshness, headers: own };
        await sendRepresentation(incoming, outgoing, answers, sent);
      } catch (error) {
        if (!(error instanceof UnkeptPage)) throw error;
        const requestId = toRequestId(headers['x-request-id']);
        sendUnkept(outgoing, error.page, [
          ...toPageHeaders(error.page, url),
          ...['X-Request-Id', requestId],
        ]);
      }
    },
    async sendOnce(incoming, outgoing, { url, status }) {
      const page = await render(url, incoming.headers);
      const requestId = toRequestId(incoming.headers['x-request-id']);
      sendUnkept(outgoing, { ...page, status: status ?? page.status }, [
        ...toPageHeaders(page, incoming.url ?? url),
        ...['X-Cache', 'bypass', 'X-Request-Id', requestId],
      ]);
    },
    async sendData(incoming, outgoing, wanted) {
      const data = await findData(wanted);
      if (data === undefined) {
        respondPlainly(outgoing, 404, 'That page has changed. Load it again.');
        return;
      }
      const { representation } = data;
      await sendRepresentation(incoming, outgoing, answers, { representation, freshness: forever });
    },
  };
}

/** Its address holds a digest of what is in it. */
const forever: Freshness = () => 'public, max-age=31536000, immutable';

const pageVary = [...routerHeaders.slice(0, -1), 'Accept'].join(', ');

function toKey(url: string, headers: IncomingMessage['headers']): string {
  if (headers.rsc === undefined) return `page ${url}`;
  return `payload ${url}\n${routerHeaders.map((name) => headers[name] ?? '').join('\n')}`;
}
