import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Observations, Outcome } from './observations.ts';

export type ClientOptions = Readonly<{
  url: string;
  certificate: string;
  observations: Observations;
  /** Ends the clients. */
  signal: AbortSignal;
}>;

const json = { accept: 'application/json' };

/** What visitors, agents and feed readers request. `EVENT` is the slug of an event. */
const eventRequests = [
  { path: '/', headers: { accept: 'text/html', 'accept-encoding': 'br' } },
  { path: '/', headers: { accept: 'text/markdown' } },
  { path: '/events/EVENT', headers: { accept: 'text/html', 'accept-encoding': 'gzip' } },
  { path: '/events/EVENT.md', headers: {} },
  { path: '/calendar', headers: { accept: 'text/html' } },
  { path: '/docs/api', headers: { accept: 'text/html' } },
  { path: '/api/v1/events', headers: json },
  { path: '/api/v1/events?status=upcoming', headers: json },
  { path: '/api/v1/events/EVENT', headers: json },
  { path: '/api/v1/events/rss', headers: {} },
  { path: '/api/v1/events/calendar.ics', headers: {} },
  { path: '/llms.txt', headers: {} },
] as const;

/** Requests pages and representations of events, one after the other. */
export async function runVisitor(options: ClientOptions, number: number): Promise<void> {
  const { url, certificate, observations, signal } = options;
  const dispatcher = createAgent(certificate);
  let slug = '';
  for (let turn = number; !signal.aborted; turn++) {
    const { path: template, headers } = pick(eventRequests, turn);
    const path = template.replace('EVENT', slug);
    if (template !== path && slug === '') continue;
    const outcome = await send();
    observations.add(outcome);
    await delay(20 + Math.random() * 60);

    async function send(): Promise<Outcome> {
      try {
        const response = await request(url + path, { dispatcher, headers });
        const text = await response.body.text();
        const { statusCode: status } = response;
        if (status === 200 && path.startsWith('/api/v1/events') && text.startsWith('{')) {
          const { data, meta } = JSON.parse(text);
          slug ||= data[0]?.slug ?? '';
          const ageSeconds = (Date.now() - Date.parse(meta.generatedAt)) / 1000;
          observations.addAge(ageSeconds + readMaxAge(response.headers));
        }
        return { area: 'events', path: template, status, detail: readErrorCode(status, text) };
      } catch (error) {
        return { area: 'events', path: template, status: null, detail: toCode(error) };
      }
    }
  }
  await dispatcher.destroy();
}

export type Usage = { sent: number; certain: number };

const proxyRequests = [
  { path: '/proxy/v1/chat/completions', stream: true },
  { path: '/proxy/v1/responses', stream: true },
  { path: '/proxy/v1/chat/completions', stream: false },
  { path: '/proxy/v1/messages', stream: true },
] as const;

/**
 * Sends prompts with a key of its own. A request whose response began has certainly been counted; one that failed
 * may have been.
 */
export async function runModelClient(
  { url, certificate, observations, signal }: ClientOptions,
  { key, number, usage }: Readonly<{ key: string; number: number; usage: Usage }>,
): Promise<void> {
  const dispatcher = createAgent(certificate);
  for (let turn = number; !signal.aborted; turn++) {
    const { path, stream } = pick(proxyRequests, turn);
    observations.add(await send(path, stream));
    await delay(50 + Math.random() * 100);
  }
  await dispatcher.destroy();

  async function send(path: string, stream: boolean): Promise<Outcome> {
    usage.sent += 1;
    let status: number | null = null;
    try {
      const response = await request(url + path, {
        dispatcher,
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...toPrompt(path), model: 'lantern-demo/wick-3', stream }),
      });
      status = response.statusCode;
      if (status === 200) usage.certain += 1;
      const text = await response.body.text();
      const isFailed = stream && status === 200 && /"error":\{|response\.failed/.test(text);
      return {
        area: 'proxy',
        path,
        status,
        detail: isFailed ? 'failed' : readErrorCode(status, text),
      };
    } catch (error) {
      return { area: 'proxy', path, status: null, detail: status === 200 ? 'cut' : toCode(error) };
    }
  }
}

function toPrompt(path: string): object {
  if (path.endsWith('responses')) return { input: 'count to 20' };
  return { messages: [{ role: 'user', content: 'count to 20' }], max_tokens: 200 };
}

function createAgent(ca: string): Agent {
  // Longer than the fault that holds responses longest.
  return new Agent({
    connect: { ca },
    // undici’s HTTP/2 drops the request that nginx’s limit of requests per connection ends.
    allowH2: false,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
    connections: 1,
  });
}

function pick<T>(list: readonly T[], turn: number): T {
  const choice = list[turn % list.length];
  if (choice === undefined) throw new RangeError('Nothing to pick from.');
  return choice;
}

function readMaxAge(headers: Readonly<Record<string, string | string[] | undefined>>): number {
  return Number(/max-age=(\d+)/.exec(String(headers['cache-control']))?.[1] ?? 0);
}

function readErrorCode(status: number, text: string): string {
  if (status < 400) return '';
  try {
    const { error } = JSON.parse(text);
    return error.code ?? error.type;
  } catch {
    return 'not JSON';
  }
}

function toCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${error.code} ${error.message}` : error.message;
}
