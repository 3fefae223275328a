import { newKeyStatus } from '#lib/accounts/sign-in/cookies.ts';
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
import type { Services } from '#lib/services.ts';
import type { Page } from '#lib/site/pages/classify-url.ts';
import { toPageHeaders } from '#lib/site/pages/page-headers.ts';
import type { PagePlan, PlannedPage } from '#lib/site/pages/plan-page.ts';
import { createErrorPage } from './error-page.ts';
import type { NextHandler } from './next-handler.ts';
import { createPageRenderer, RenderError, type RenderedPage } from './render-page.ts';

/** Responds with a page. */
export type Pages = (request: Request, page: Page) => Promise<Response>;

type ErrorPlan = Extract<PagePlan, { kind: 'error' }>;
type PrivatePlan = Extract<PagePlan, { kind: 'private' }>;
type MissingPlan = Extract<PagePlan, { kind: 'missing' }>;

const timeoutMs = 10_000;
const privately: HeaderFields = [['Cache-Control', 'private, no-store']];
const retrySoon: HeaderFields = [['Retry-After', '2']];
const uncached: HeaderFields = [
  ['Cache-Control', 'no-store'],
  ['X-Cache', 'bypass'],
];

/** Pages by Next, each rendered once per content version and canonical URL. */
export function createPages(handle: NextHandler, services: Services): Pages {
  const { site, representations, rendering, members, load, log } = services;
  const renderPage = createPageRenderer({
    handle,
    rendering,
    timeoutMs,
    queueName: 'pages',
    concurrency: 2,
    waitingMax: 64,
  });
  // At most four a second: a client that makes up slugs must not slow down other pages.
  const renderMissing = createPageRenderer({
    handle,
    rendering,
    timeoutMs,
    queueName: 'unknown slugs',
    concurrency: 1,
    waitingMax: 4,
    intervalMs: 250,
  });

  // A separate queue: members never wait behind public pages.
  const renderPrivate = createPageRenderer({
    handle,
    rendering,
    timeoutMs,
    queueName: 'private pages',
    concurrency: 1,
    waitingMax: 32,
  });

  async function respondWithPage(request: Request, plan: PlannedPage): Promise<Response> {
    let isHit = true;
    const representation = await representations.get(plan.version, `page ${plan.url}`, async () => {
      isHit = false;
      const page = await renderPage(plan.url, plan);
      if (page.status !== 200) throw new Error(`Next rendered ${plan.url} as a ${page.status}.`);
      return toRepresentation(page, plan.url, plan.changedAtMs);
    });
    const response = await respondWith(request, representation, plan.freshness);
    setHeaders(response, [['X-Cache', isHit ? 'hit' : 'miss']]);
    return response;
  }

  /** Rendered once per process; clients do not cache it. */
  async function respondWithErrorPage(request: Request, { url, status }: ErrorPlan) {
    const representation = await representations.get('static', `error ${url}`, async () => {
      const page = await renderPage(url, {});
      // A failure of Next is a page, too: it must not be stored.
      if (page.status >= 500) throw new Error(`Next rendered ${url} as a ${page.status}.`);
      return toRepresentation(page, null, 0);
    });
    const encoding = chooseEncoding(request.headers.get('accept-encoding'));
    return respondUncached(representation, status, encoding);
  }

  async function respondWithMissing(request: Request, plan: MissingPlan): Promise<Response> {
    let page: RenderedPage;
    try {
      page = await renderMissing(plan.url, plan);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      return respondWithErrorPage(request, { kind: 'error', url: '/404', status: 404 });
    }
    return respondUncached(toRepresentation(page, null, 0), 404, 'identity');
  }

  /** Rendered for one request, with its cookies. */
  async function respondWithPrivate(request: Request, plan: PrivatePlan): Promise<Response> {
    const cookie = request.headers.get('cookie') ?? '';
    const { status, html, scriptSources } = await renderPrivate(plan.url, plan, cookie);
    const formTargets = (await members?.formTargets()) ?? [];
    const cleared = members?.newKey.clear(cookie) ?? null;
    const showsNewKey = cleared !== null && status === 200;
    // Compressed, a page that shows a key beside text of the request would leak it by its length (BREACH).
    const mayCompress = cleared === null && !plan.url.includes('?');
    const encoding = mayCompress
      ? chooseEncoding(request.headers.get('accept-encoding'))
      : 'identity';
    const response = createResponse({
      status: plan.status === 503 ? 503 : showsNewKey ? newKeyStatus : status,
      headers: [
        ['Content-Type', 'text/html; charset=utf-8'],
        ...toPageHeaders({ site, url: null, scriptSources, formTargets }),
        ...privately,
        ...(plan.status === 503 ? retrySoon : []),
        ...(encoding === 'identity' ? [] : [['Content-Encoding', encoding] as const]),
      ],
      body: encoding === 'identity' ? html : await compress(Buffer.from(html), encoding, 'usual'),
    });
    if (cleared !== null && request.method === 'GET')
      setHeaders(response, [['Set-Cookie', cleared]]);
    return response;
  }

  function toRepresentation(
    { html, scriptSources }: RenderedPage,
    url: string | null,
    lastModifiedMs: number,
  ): Representation {
    return createRepresentation({
      contentType: 'text/html; charset=utf-8',
      body: html,
      lastModifiedMs,
      vary: 'Accept',
      headers: toPageHeaders({ site, url, scriptSources }),
    });
  }

  async function respond(request: Request, plan: PagePlan): Promise<Response> {
    switch (plan.kind) {
      case 'page':
        return respondWithPage(request, plan);
      case 'error':
        return respondWithErrorPage(request, plan);
      case 'missing':
        return respondWithMissing(request, plan);
      case 'private':
        return respondWithPrivate(request, plan);
      case 'redirect':
        return plan.response;
    }
  }

  return async (request, page) => {
    if (load.isOverloaded()) return createErrorPage(503, retrySoon);
    try {
      return await respond(request, await page.row.plan(page, services, request.headers));
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      log.warn({ reason: error.reason }, error.message);
      return error.reason === 'timed-out' ? createErrorPage(504) : createErrorPage(503, retrySoon);
    }
  };
}

async function respondUncached(
  representation: Representation,
  status: number,
  encoding: ContentEncoding,
): Promise<Response> {
  const { body, headers } = await representation.encoded(encoding);
  const remaining = headers.filter(([name]) => name !== 'ETag' && name !== 'Last-Modified');
  return createResponse({ status, headers: [...remaining, ...uncached], body });
}
