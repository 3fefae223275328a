import { untilNoticeEnds, withNoticeKey } from '#lib/events/view/site-notice.ts';
import { groupAddress, toClientAddress } from '#lib/http/client-address.ts';
import {
  type ContentEncoding,
  chooseEncoding,
  compress,
} from '#lib/http/representations/content-encoding.ts';
import {
  createRepresentation,
  type Representation,
  respondWith,
} from '#lib/http/representations/representation.ts';
import { createResponse, type HeaderFields, setHeaders } from '#lib/http/response.ts';
import { createTurns } from '#lib/http/time-slices.ts';
import { type Turn, TurnError, TurnQueue } from '#lib/http/turn-queue.ts';
import type { Services } from '#lib/services.ts';
import type { Page } from '#lib/site/pages/classify-url.ts';
import { type DecidedPage, decidePage } from '#lib/site/pages/decide-page.ts';
import { type PageHeaderOptions, toPageHeaders } from '#lib/site/pages/page-headers.ts';
import type { PagePlan, PlannedPage } from '#lib/site/pages/plan-page.ts';
import { channels, type PageRendered } from '#lib/telemetry/channels.ts';
import { createErrorPage } from './error-page.ts';
import type { NextHandler } from './next-handler.ts';
import {
  createPageRenderer,
  type PageRenderer,
  RenderError,
  type RenderedPage,
} from './render-page.ts';

/** Responds with a page. */
export type Pages = (request: Request, page: Page) => Promise<Response>;

type ErrorPlan = Extract<PagePlan, { kind: 'error' }>;
type PrivatePlan = Extract<PagePlan, { kind: 'private' }>;
type MissingPlan = Extract<PagePlan, { kind: 'missing' }>;
type Wait = Readonly<{ signal: AbortSignal; startedAt: number }>;
type Rendering = Readonly<{
  version: string;
  key: string;
  create: (wait: Wait) => Promise<Representation>;
}>;

/** The longest time that a request waits for its page, in the queue and for the render. */
const timeoutMs = 10_000;
const privately: HeaderFields = [['Cache-Control', 'private, no-store']];
const retrySoon: HeaderFields = [['Retry-After', '2']];
const uncached: HeaderFields = [
  ['Cache-Control', 'no-store'],
  ['X-Cache', 'bypass'],
];

/** Pages by Next, each rendered once per content version and canonical URL. */
export function createPages(handle: NextHandler, services: Services): Pages {
  const responder = new PageResponder(handle, services);
  return (request, page) => responder.respond(request, page);
}

class PageResponder {
  readonly #services: Services;
  readonly #renderPage: PageRenderer;
  readonly #renderPrivate: PageRenderer;
  readonly #queue = createQueue('pages', { concurrency: 2, waitingMax: 64 });
  // A separate queue: members never wait behind public pages.
  readonly #privateQueue = createQueue('private pages', { concurrency: 1, waitingMax: 32 });
  readonly #waitForTurn = createTurns();

  constructor(handle: NextHandler, services: Services) {
    const { rendering } = services;
    this.#services = services;
    this.#renderPage = createPageRenderer({ handle, rendering, queueName: 'pages' });
    this.#renderPrivate = createPageRenderer({ handle, rendering, queueName: 'private pages' });
  }

  async respond(request: Request, page: Page): Promise<Response> {
    if (this.#services.load.isOverloaded) return createErrorPage(503, retrySoon);
    const startedAt = performance.now();
    try {
      // What is in the response cache does not wait behind many that are not.
      await this.#waitForTurn();
      const decided = await decidePage(request, page, this.#services);
      if (decided instanceof Response) return decided;
      return await this.#respondWithDecision(request, decided);
    } catch (error) {
      return this.#respondToError(error, page, startedAt);
    }
  }

  #respondWithDecision(request: Request, decided: DecidedPage): Promise<Response> {
    const { plan } = decided;
    switch (plan.kind) {
      case 'page':
        return this.#respondWithPage(request, plan, decided);
      case 'error':
      case 'missing':
        return this.#respondWithErrorPage(request, plan, decided);
      case 'private':
        return this.#respondWithPrivate(request, plan, decided);
    }
  }

  /** @throws what is no failure of a render */
  #respondToError(error: unknown, page: Page, startedAt: number): Response {
    const { log } = this.#services;
    if (error instanceof RenderError) {
      log.warn({ reason: 'timed-out' }, error.message);
      return createErrorPage(504);
    }
    if (!(error instanceof TurnError)) throw error;
    const { outcome } = error;
    if (outcome !== 'disconnected') {
      const queue = page.row.isPrivate ? 'private pages' : 'pages';
      const durationMs = performance.now() - startedAt;
      channels.pageRendered.publish({ queue, outcome, durationMs });
      log.warn({ reason: outcome, url: page.url.slice(0, 200) }, 'a page was not rendered');
    }
    return outcome === 'timed-out' ? createErrorPage(504) : createErrorPage(503, retrySoon);
  }

  async #respondWithPage(
    request: Request,
    plan: PlannedPage,
    { page: options }: DecidedPage,
  ): Promise<Response> {
    const { notice } = this.#services.site;
    let isHit = true;
    const create = async (wait: Wait) => {
      isHit = false;
      const page = await this.#renderPage(plan.url, plan, wait);
      if (page.status !== 200) throw new Error(`Next rendered ${plan.url} as a ${page.status}.`);
      return toRepresentation(page, options, plan.changedAtMs);
    };
    const representation = await this.#getRepresentation(request, {
      version: plan.version,
      key: withNoticeKey(`page ${plan.url}`, notice),
      create,
    });
    const freshness = untilNoticeEnds(plan.freshness, notice);
    const response = await respondWith(request, representation, freshness);
    setHeaders(response, [['X-Cache', isHit ? 'hit' : 'miss']]);
    return response;
  }

  /** Rendered once per process, or per content version; clients do not cache it. */
  async #respondWithErrorPage(
    request: Request,
    plan: ErrorPlan | MissingPlan,
    { status, headers, page: options }: DecidedPage,
  ): Promise<Response> {
    const { url } = plan;
    const version = plan.kind === 'missing' ? plan.version : 'static';
    const create = async (wait: Wait) => {
      const page = await this.#renderPage(url, plan.kind === 'missing' ? plan : {}, wait);
      // A failure of Next is a page, too: it must not be stored.
      if (page.status >= 500) throw new Error(`Next rendered ${url} as a ${page.status}.`);
      return toRepresentation(page, options, 0);
    };
    const key = withNoticeKey(`error ${url}`, this.#services.site.notice);
    const representation = await this.#getRepresentation(request, { version, key, create });
    const encoding = chooseEncoding(request.headers.get('accept-encoding'));
    const response = await respondUncached(representation, status, encoding);
    setHeaders(response, headers);
    return response;
  }

  /** Rendered for one request, with its cookies. */
  async #respondWithPrivate(
    request: Request,
    plan: PrivatePlan,
    { showsKey, ...decided }: DecidedPage,
  ): Promise<Response> {
    const cookie = request.headers.get('cookie') ?? '';
    const turn = this.#createTurn(request, request);
    const wait = { signal: turn.deadline, startedAt: performance.now() };
    const { status, html, scriptSources } = await this.#privateQueue.run(turn, () =>
      this.#renderPrivate(plan.url, plan, { ...wait, cookie }),
    );
    // Compressed, a page that shows a key beside text of the request would leak it by its length (BREACH).
    const mayCompress = !showsKey && !plan.url.includes('?');
    const encoding = mayCompress
      ? chooseEncoding(request.headers.get('accept-encoding'))
      : 'identity';
    return createResponse({
      status: status === 200 ? decided.status : status,
      headers: [
        ['Content-Type', 'text/html; charset=utf-8'],
        ...toPageHeaders({ ...decided.page, scriptSources }),
        ...privately,
        ...decided.headers,
        ...(encoding === 'identity' ? [] : [['Content-Encoding', encoding] as const]),
      ],
      body: encoding === 'identity' ? html : await compress(Buffer.from(html), encoding, 'usual'),
    });
  }

  async #getRepresentation(
    request: Request,
    { version, key, create }: Rendering,
  ): Promise<Representation> {
    const { representations } = this.#services;
    const stored = representations.find(version, key);
    if (stored !== undefined) return stored;
    const startedAt = performance.now();
    const turn = this.#createTurn(request, `${version} ${key}`);
    const wait = { signal: turn.deadline, startedAt };
    return this.#queue.run(turn, () => representations.get(version, key, () => create(wait)));
  }

  #createTurn(request: Request, key: unknown): Turn {
    const client = groupAddress(toClientAddress(request, this.#services.config.trustProxy));
    return { request, client, key, deadline: AbortSignal.timeout(timeoutMs) };
  }
}

function toRepresentation(
  { html, scriptSources }: RenderedPage,
  options: Omit<PageHeaderOptions, 'scriptSources'>,
  lastModifiedMs: number,
): Representation {
  return createRepresentation({
    contentType: 'text/html; charset=utf-8',
    body: html,
    lastModifiedMs,
    vary: 'Accept',
    headers: toPageHeaders({ ...options, scriptSources }),
  });
}

type QueueBounds = Readonly<{ concurrency: number; waitingMax: number }>;

function createQueue(queue: PageRendered['queue'], bounds: QueueBounds): TurnQueue {
  const onChange = (waiting: number) => channels.renderQueue.publish({ queue, waiting });
  return new TurnQueue({ ...bounds, onChange });
}

async function respondUncached(
  representation: Representation,
  status: number,
  encoding: ContentEncoding,
): Promise<Response> {
  const { body, headers } = await representation.encoded(encoding);
  const remaining = headers.filter(([name]) => name !== 'ETag' && name !== 'Last-Modified');
  return createResponse({ status, headers: [...remaining, ...uncached], body: body() });
}
