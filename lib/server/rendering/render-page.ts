import type { AsyncLocalStorage } from 'node:async_hooks';
import { hash, randomBytes } from 'node:crypto';
import inject from 'light-my-request';
import PQueue from 'p-queue';
import type { PageSource } from '#lib/site/pages/page-source.ts';
import { channels, type PageRendered } from '#lib/telemetry/channels.ts';
import type { NextHandler } from './next-handler.ts';

/** A page as HTML. */
export type RenderedPage = Readonly<{
  status: number;
  html: string;
  /** CSP source expressions of the inline scripts that Next and the layout wrote. */
  scriptSources: readonly string[];
}>;

/**
 * Renders a URL inside the app. @throws RenderError if too many wait, or it takes too long.
 * @param cookie of the request, for a page that is private.
 */
export type PageRenderer = (
  url: string,
  source: PageSource,
  cookie?: string,
) => Promise<RenderedPage>;

export class RenderError extends Error {
  readonly reason: 'timed-out' | 'queue-full';
  constructor(reason: RenderError['reason'], url: string) {
    super(`A page was not rendered (${reason}): ${url.slice(0, 200)}`);
    this.reason = reason;
  }
}

type RendererOptions = Readonly<{
  handle: NextHandler;
  /** Carries what a page is rendered from to its components. */
  rendering: AsyncLocalStorage<PageSource>;
  /** Its name in metrics. */
  queueName: PageRendered['queue'];
  concurrency: number;
  /** How many pages may wait. */
  waitingMax: number;
  /** The longest time that a request waits for its page, in the queue and for the render. */
  timeoutMs: number;
  /** Time between two renders, ms, so that other requests get their turn. */
  intervalMs?: number;
}>;

/** Renders pages to memory, at most `concurrency` at once. */
export function createPageRenderer(options: RendererOptions): PageRenderer {
  const { handle, rendering, queueName, concurrency, waitingMax, timeoutMs } = options;
  const { intervalMs = 0 } = options;
  const queue = new PQueue({
    concurrency,
    ...(intervalMs > 0 && { interval: intervalMs, intervalCap: 1 }),
  });
  const publishLength = () =>
    channels.renderQueue.publish({ queue: queueName, waiting: queue.size });
  queue.addEventListener('add', publishLength);
  queue.addEventListener('active', publishLength);

  const renderInTurn: PageRenderer = async (url, source, cookie) => {
    if (queue.size >= waitingMax) throw new RenderError('queue-full', url);
    // Next cannot abort a render; its slot is freed anyway, so that others go on.
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await queue.add(() => rendering.run(source, () => render(handle, url, cookie)), {
        signal,
      });
    } catch (error) {
      throw signal.aborted ? new RenderError('timed-out', url) : error;
    }
  };

  return async (url, source, cookie) => {
    const startedAt = performance.now();
    let outcome: PageRendered['outcome'] = 'rendered';
    try {
      return await renderInTurn(url, source, cookie);
    } catch (error) {
      outcome = error instanceof RenderError ? error.reason : 'failed';
      throw error;
    } finally {
      publishLength();
      const durationMs = performance.now() - startedAt;
      channels.pageRendered.publish({ queue: queueName, outcome, durationMs });
    }
  };
}

async function render(
  handle: NextHandler,
  url: string,
  cookie: string | undefined,
): Promise<RenderedPage> {
  const nonce = randomBytes(16).toString('hex');
  const { statusCode, payload } = await inject(
    (incoming, outgoing) => {
      handle(incoming, outgoing).catch((error: Error) => outgoing.destroy(error));
    },
    {
      method: 'GET',
      url,
      headers: {
        host: 'localhost',
        accept: 'text/html',
        // Next puts the nonce of this header on its scripts; the layout reads the other one.
        'content-security-policy': `script-src 'nonce-${nonce}'`,
        'x-nonce': nonce,
        ...(cookie !== undefined && { cookie }),
      },
    },
  );
  return { status: statusCode, ...replaceNonce(payload, nonce) };
}

/**
 * Replaces the nonce of one render by a constant, so that the page can be cached. Scripts that carry the
 * nonce are allowed by their hashes from then on; a script that came in through content has none.
 */
export function replaceNonce(
  rendered: string,
  nonce: string,
): Pick<RenderedPage, 'html' | 'scriptSources'> {
  const script = new RegExp(`<script\\b[^>]*\\bnonce="${nonce}"[^>]*>([\\s\\S]*?)</script>`, 'g');
  const toCached = (text: string) => text.replaceAll(nonce, 'cached');
  const texts = [...rendered.matchAll(script)].map(([, text = '']) => toCached(text));
  const hashes = texts.filter(Boolean).map((text) => `'sha256-${hash('sha256', text, 'base64')}'`);
  return { html: toCached(rendered), scriptSources: [...new Set(hashes)] };
}
