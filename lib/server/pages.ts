import { readFilterTexts, toSearch } from '#lib/events/query/filters.ts';
import { toPageUrl } from '#lib/events/view/site-urls.ts';
import { createRepresentation, respondWith } from '#lib/http/representation.ts';
import { createResponse, type HeaderFields, setHeaders } from '#lib/http/response.ts';
import { pageSecurityHeaders } from '#lib/http/security-headers.ts';
import { type Page, toMarkdownPath } from '#lib/pages/classify-url.ts';
import { type PagePlan, planPage } from '#lib/pages/plan-page.ts';
import type { Services } from '#lib/services.ts';
import { createErrorPage } from './error-page.ts';
import type { NextHandler } from './next-handler.ts';
import { createPageRenderer, RenderError, type RenderedPage } from './render-page.ts';

/** Responds with a page, rendered once per content version and canonical URL. */
export type Pages = (request: Request, page: Page, canonicalUrl: string) => Promise<Response>;

type RenderPlan = Extract<PagePlan, { kind: 'render' }>;

const renderTimeoutMs = 10_000;

export function createPages(handle: NextHandler, services: Services): Pages {
  const { site, representations, rendering, log } = services;
  const parts = { ...services, models: services.aiProxy.models };
  const common = { handle, rendering, timeoutMs: renderTimeoutMs };
  const renderPage = createPageRenderer({ ...common, concurrency: 2, waitingMax: 64 });
  // At most four a second: a client that makes slugs up must not slow down other pages.
  const renderMissing = createPageRenderer({
    ...common,
    ...{ concurrency: 1, waitingMax: 4, intervalMs: 250 },
  });

  function respondWithPlan(request: Request, plan: RenderPlan): Promise<Response> {
    if (plan.version === null) return respondUncached(plan);
    return plan.freshness === null ? respondWithError(plan) : respondCached(request, plan);
  }

  async function respondCached(request: Request, plan: RenderPlan): Promise<Response> {
    let isHit = true;
    const representation = await getRepresentation(plan, () => {
      isHit = false;
    });
    const response = await respondWith(request, representation, plan.freshness ?? (() => null));
    setHeaders(response, [['X-Cache', isHit ? 'hit' : 'miss']]);
    return response;
  }

  /** An error page that depends on nothing is rendered once, but clients do not cache it. */
  async function respondWithError(plan: RenderPlan): Promise<Response> {
    const { body, headers } = await (await getRepresentation(plan)).encoded('identity');
    return createResponse({
      status: plan.status,
      headers: [
        ...headers.filter(([name]) => name !== 'ETag' && name !== 'Last-Modified'),
        ...uncachedHeaders,
      ],
      body,
    });
  }

  function getRepresentation(plan: RenderPlan, onRender?: () => void) {
    const { version, url, changedAtMs, snapshot } = plan;
    return representations.get(version ?? '', `page ${url}`, async () => {
      onRender?.();
      const page = checkStatus(await renderPage(url, snapshot), plan);
      return createRepresentation({
        contentType: htmlType,
        body: page.html,
        lastModifiedMs: changedAtMs,
        vary: 'Accept',
        headers: toPageHeaders(page, url),
      });
    });
  }

  async function respondUncached(plan: RenderPlan): Promise<Response> {
    const page = checkStatus(await renderMissing(plan.url, plan.snapshot), plan);
    return createResponse({
      status: plan.status,
      headers: [
        ['Content-Type', htmlType],
        ['Vary', 'Accept'],
        ...toPageHeaders(page, plan.url),
        ...uncachedHeaders,
      ],
      body: page.html,
    });
  }

  function toPageHeaders({ scriptSources }: RenderedPage, url: string): HeaderFields {
    const isHttps = site.url.startsWith('https:');
    return [
      ['Link', `<${toMarkdownUrl(url)}>; rel="alternate"; type="text/markdown"`],
      ['Speculation-Rules', '"/speculation-rules.json"'],
      ...pageSecurityHeaders({ scriptSources, isHttps }),
    ];
  }

  function toMarkdownUrl(url: string): string {
    const [path = '/', query = ''] = url.split('?');
    const page = Number(new URLSearchParams(query).get('page'));
    return toPageUrl(site, toMarkdownPath(path)) + toSearch(readFilterTexts(query), page);
  }

  return async (request, page, canonicalUrl) => {
    const plan = await planPage(parts, page, canonicalUrl);
    if (plan.kind === 'redirect') return plan.response;
    try {
      return await respondWithPlan(request, plan);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      if (error.failure === 'timed-out') {
        log.error({ url: plan.url.slice(0, 200) }, 'a page took too long to render');
        return createErrorPage(504);
      }
      if (plan.version !== null) return createErrorPage(503, [['Retry-After', '2']]);
      return respondWithPlan(request, { ...plan, url: '/404', version: 'static' });
    }
  };
}

const htmlType = 'text/html; charset=utf-8';
const uncachedHeaders: HeaderFields = [
  ['Cache-Control', 'no-store'],
  ['X-Cache', 'bypass'],
];

function checkStatus(page: RenderedPage, { url, status }: RenderPlan): RenderedPage {
  if (page.status === 200 || page.status === status) return page;
  throw new Error(`Next rendered ${url} with status ${page.status}.`);
}
