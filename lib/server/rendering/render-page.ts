import type { AsyncLocalStorage } from 'node:async_hooks';
import { hash, randomBytes } from 'node:crypto';
import inject from 'light-my-request';
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

/** Renders a URL inside the app. @throws RenderError if it takes too long. */
export type PageRenderer = (
  url: string,
  source: PageSource,
  options: RenderOptions,
) => Promise<RenderedPage>;

type RenderOptions = Readonly<{
  /** Ends the wait for the page. */
  signal: AbortSignal;
  /** When the request began to wait, by `performance.now()`. */
  startedAt: number;
  /** Of the request, for a page that is private. */
  cookie?: string;
}>;

export class RenderError extends Error {
  constructor(url: string) {
    super(`A page was not rendered in time: ${url.slice(0, 200)}`);
  }
}

type RendererOptions = Readonly<{
  handle: NextHandler;
  /** Carries what a page is rendered from to its components. */
  rendering: AsyncLocalStorage<PageSource>;
  /** The name in metrics of the queue that its pages wait in. */
  queueName: PageRendered['queue'];
}>;

/** Renders pages to memory. */
export function createPageRenderer(options: RendererOptions): PageRenderer {
  const { handle, rendering, queueName } = options;
  return async (url, source, { signal, startedAt, cookie }) => {
    let outcome: PageRendered['outcome'] = 'rendered';
    try {
      const page = rendering.run(source, () => render(handle, url, cookie));
      // Next cannot abort a render; its place is freed anyway, so that others go on.
      return await Promise.race([page, rejectOnAbort(signal, url)]);
    } catch (error) {
      outcome = error instanceof RenderError ? 'timed-out' : 'failed';
      throw error;
    } finally {
      const durationMs = performance.now() - startedAt;
      channels.pageRendered.publish({ queue: queueName, outcome, durationMs });
    }
  };
}

function rejectOnAbort(signal: AbortSignal, url: string): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(new RenderError(url));
    signal.addEventListener('abort', () => reject(new RenderError(url)), { once: true });
  });
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
  return { status: statusCode, ...replaceNonce(moveStyles(payload), nonce) };
}

const inlinedStyles = /<style data-precedence="next"[^>]*>[\s\S]*?<\/style>/g;

/**
 * Puts the styles of a page behind its title and its metadata, which readers of links look for in its first bytes:
 * Next has no setting for it (https://github.com/vercel/next.js/issues/79263).
 */
export function moveStyles(html: string): string {
  const end = html.indexOf('</head>');
  if (end === -1) return html;
  const head = html.slice(0, end);
  const styles = head.match(inlinedStyles) ?? [];
  return `${head.replace(inlinedStyles, '')}${styles.join('')}${html.slice(end)}`;
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
