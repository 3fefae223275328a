import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { deferProgram } from './defer-program.ts';
import type { NextHandler } from './next-handler.ts';
import type { PageData, PageDataStore } from './page-data.ts';
import { routerHeaders } from './router-headers.ts';

/** A page as Next has rendered it, whole. */
export type RenderedPage = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Where its client program was moved out of it. */
  data?: PageData | undefined;
}>;

/** Renders the page at an address inside the app for whoever sent these headers. */
export type PageRenderer = (
  url: string,
  headers: IncomingMessage['headers'],
) => Promise<RenderedPage>;

/**
 * Renders pages to memory. Next sees a request that was made here, from the address and the few
 * headers that a page may depend on, so that one rendering is right for all who ask the same, and a
 * caller who leaves in the middle ends nothing.
 */
export function createPageRenderer(handle: NextHandler, dataStore: PageDataStore): PageRenderer {
  return async (url, headers) => {
    const request = new IncomingMessage(new Socket());
    request.method = 'GET';
    request.url = url;
    request.headers = toPageHeaders(headers);
    request.push(null);
    const response = new MemoryResponse(request);
    await handle(request, response);
    const page = await response.whole();
    if (!page.headers['content-type']?.startsWith('text/html')) return page;
    let data: PageData | undefined;
    const html = deferProgram(page.body.toString(), (script) => {
      data = dataStore.keep(script, url);
      return data.address;
    });
    return { ...page, body: Buffer.from(html), data };
  };
}

function toPageHeaders(given: IncomingMessage['headers']): IncomingMessage['headers'] {
  const headers: IncomingMessage['headers'] = { host: 'localhost', accept: 'text/html' };
  if (given.rsc === undefined) return headers;
  for (const name of routerHeaders) {
    if (given[name] !== undefined) headers[name] = given[name];
  }
  return headers;
}

/** A response without a socket: what is written is kept. */
class MemoryResponse extends ServerResponse {
  private readonly chunks: Buffer[] = [];
  private readonly ended = Promise.withResolvers<void>();

  override flushHeaders(): void {}

  override writeHead(status: number, ...given: unknown[]): this {
    this.statusCode = status;
    for (const headers of given) {
      if (typeof headers !== 'object' || headers === null) continue;
      for (const [name, value] of Object.entries(headers)) this.setHeader(name, value);
    }
    return this;
  }

  override write(chunk: unknown, ...given: unknown[]): boolean {
    this.chunks.push(toBuffer(chunk));
    callLast(given);
    return true;
  }

  override end(...given: unknown[]): this {
    if (this.finished) return this;
    const [chunk] = given;
    if (chunk !== undefined && chunk !== null && typeof chunk !== 'function') {
      this.chunks.push(toBuffer(chunk));
    }
    this.finished = true;
    callLast(given);
    this.ended.resolve();
    this.emit('finish');
    this.emit('close');
    return this;
  }

  async whole(): Promise<RenderedPage> {
    await this.ended.promise;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.getHeaders())) {
      headers[name] = Array.isArray(value) ? value.join(', ') : String(value);
    }
    return { status: this.statusCode, headers, body: Buffer.concat(this.chunks) };
  }
}

function toBuffer(chunk: unknown): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  if (chunk instanceof Uint8Array) return Buffer.from(chunk);
  throw new TypeError('A page is written as text or bytes.');
}

function callLast(given: readonly unknown[]): void {
  const last = given.at(-1);
  if (typeof last === 'function') queueMicrotask(() => last());
}
