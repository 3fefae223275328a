import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadDocsPage } from '#lib/docs/pages.ts';
import { redirectRenamed } from '#lib/events/redirect-renamed.ts';
import { freshnessOf } from '#lib/events/respond-from-snapshot.ts';
import { findEvent } from '#lib/events/store/snapshot.ts';
import { toHttpError } from '#lib/http/errors.ts';
import { decodePathSegment } from '#lib/http/path.ts';
import type { Freshness } from '#lib/http/prepared-response.ts';
import { type PageAddress, toPageAddress } from '#lib/pages/page-address.ts';
import type { Services } from '#lib/services.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { Assets } from './assets.ts';
import { isDevelopment, type NextHandler } from './next-handler.ts';
import { readPageDataAddress } from './page-data.ts';
import { createPageSender, type KeptPage } from './page-sender.ts';
import { sendParts } from './plain-answer.ts';

/** What the lane does not serve. */
export type Pages = Readonly<{
  servePage: (incoming: IncomingMessage, outgoing: ServerResponse, path: string) => Promise<void>;
  serveAsset: (incoming: IncomingMessage, outgoing: ServerResponse, path: string) => Promise<void>;
}>;

type PageParts = Readonly<{
  handle: NextHandler;
  services: Services;
  answers: AnswerCache;
  assets: Assets;
}>;

/** How a page is served: kept for others, or rendered for this caller in the place of what was asked for. */
type Plan =
  | Readonly<{ kind: 'kept'; page: KeptPage }>
  | Readonly<{ kind: 'once'; url: string; status: number | null }>
  | Readonly<{ kind: 'moved'; response: Response }>;

const unavailablePath = '/unavailable';
const missingPath = '/missing';
// Next's own address of `not-found.tsx`. A page that finds out by itself, in mid-rendering, is sent
// without its words, for scripts to fill in.
const notFound: Plan = { kind: 'once', url: '/404', status: 404 };

/** Texts of our own change with the program alone. */
const textLifetime: Freshness = () => 'public, max-age=300';
const processStartedAtMs = Date.now();

/**
 * Pages by Next, with what Next cannot do by itself: each rendered once for all who ask while it holds,
 * a real 502 where the events cannot be read, and a 404 that needs no script.
 */
export function createPages({ handle, services, answers, assets }: PageParts): Pages {
  const { events, site } = services;
  const sender = createPageSender(handle, services, answers);

  async function plan(path: string): Promise<Plan> {
    const address = toPageAddress(path.split('/').filter(Boolean).map(decodePathSegment));
    if (path === unavailablePath || path.startsWith(missingPath)) return notFound;
    // Models come and go by themselves.
    const isKept = address.kind !== 'unknown' && address.kind !== 'models';
    if (!isKept) return { kind: 'once', url: path, status: null };
    if (address.kind === 'docs') return planText(address.name);
    return planEvents(address);
  }

  function planText(name: string): Plan {
    if (!loadDocsPage(name, site)) return notFound;
    const changedAtMs = processStartedAtMs;
    const page = { madeFrom: site, changedAtMs, freshness: textLifetime, isForMany: true };
    return { kind: 'kept', page };
  }

  async function planEvents(address: PageAddress): Promise<Plan> {
    try {
      const snapshot = await events.current();
      const moved =
        address.kind === 'event' &&
        redirectRenamed(snapshot, events, { name: address.slug, extension: '' });
      if (moved) return { kind: 'moved', response: moved };
      if (address.kind === 'event' && findEvent(snapshot, address.slug) === undefined) {
        const url = `${missingPath}/${encodeURIComponent(address.slug)}`;
        return { kind: 'once', url, status: 404 };
      }
      const { changedAtMs } = snapshot;
      const freshness = freshnessOf(snapshot, events);
      const isForMany = address.kind === 'directory';
      return { kind: 'kept', page: { madeFrom: snapshot, changedAtMs, freshness, isForMany } };
    } catch (thrown) {
      return { kind: 'once', url: unavailablePath, status: toHttpError(thrown).status };
    }
  }

  return {
    async serveAsset(incoming, outgoing, path) {
      const data = readPageDataAddress(incoming.url ?? '');
      if (data !== null) {
        const planned = await plan(data.page.path);
        const page = planned.kind === 'kept' ? planned.page : null;
        const url = data.page.path + data.page.search;
        return sender.sendData(incoming, outgoing, { digest: data.digest, url, page });
      }
      // What is no file is an address that Next makes something of: sitemap.xml, or a 404.
      return assets.serve(incoming, outgoing, path) ?? handle(incoming, outgoing);
    },
    async servePage(incoming, outgoing, path) {
      const planned = await plan(path);
      if (planned.kind === 'moved') return sendParts(incoming, outgoing, planned.response);
      if (isDevelopment) {
        if (planned.kind === 'once') incoming.url = planned.url;
        return handle(incoming, outgoing);
      }
      if (planned.kind === 'kept') return sender.sendKept(incoming, outgoing, planned.page);
      return sender.sendOnce(incoming, outgoing, planned);
    },
  };
}
