import type { UpstreamSettings } from '#lib/config/upstreams-schema.ts';
import { isJsonObject, parseJson } from '#lib/http/json-value.ts';
import { createHeaders, toUpstreamConnection } from './connection.ts';

/** What is left of the operator’s credit at an upstream. */
export type Credit = Readonly<{
  /** In its currency; below zero is debt. Null: unknown. */
  left: number | null;
  /** Why it is unknown, in our own words. */
  problem: string | null;
  /** Unix ms. */
  readAtMs: number;
  /** An alert comes below this amount. */
  alertBelow: number;
}>;

export type CreditReader = Readonly<{
  /** The last answer; null before the first. */
  peek: () => Credit | null;
  /** Reads it anew, unless that was done within a time, ms. It never throws. */
  read: (withinMs: number) => Promise<void>;
}>;

/** Where a service tells a number, and one that is taken from it. */
type CreditSource = Readonly<{ url: string; path: string; usedPath?: string | undefined }>;

/** Less than a minute, in which alerts look once. */
const timeoutMs = 10_000;
const bytesMax = 65_536;
/** More is no credit, but a mistake. */
const amountMax = 1e9;
const defaultAlertBelow = 5;

/** Null: nothing is known of where this service tells it. */
export function createCreditReader(
  settings: UpstreamSettings,
  now: () => number,
): CreditReader | null {
  const sources = findSources(settings);
  if (sources.length === 0) return null;
  const { alertBelow = defaultAlertBelow } = settings.credit || {};
  const toHeaders = createHeaders(toUpstreamConnection(settings, timeoutMs));
  let credit: Credit | null = null;
  let reading: Promise<void> | null = null;

  async function readAll(): Promise<void> {
    const headers = toPairs(toHeaders({ path: '/credits' }));
    const found = await Promise.all(sources.map((source) => readSource(source, headers)));
    const amounts = found.filter((result) => typeof result === 'number');
    const [problem = null] = found.filter((result) => typeof result === 'string');
    const left = amounts.length === 0 ? null : Math.min(...amounts);
    credit = { left, problem: left === null ? problem : null, readAtMs: now(), alertBelow };
  }

  return {
    peek: () => credit,
    async read(withinMs) {
      if (credit !== null && now() - credit.readAtMs < withinMs) return;
      reading ??= readAll().finally(() => {
        reading = null;
      });
      await reading;
    },
  };
}

/** OpenRouter tells the account’s credit to some keys only, and the bound of a key to each: the smaller one counts. */
function findSources({ url, credit }: UpstreamSettings): readonly CreditSource[] {
  if (credit === false) return [];
  if (credit !== undefined) return [credit];
  if (new URL(url).hostname !== 'openrouter.ai') return [];
  return [
    { url: `${url}/credits`, path: 'data.total_credits', usedPath: 'data.total_usage' },
    { url: `${url}/key`, path: 'data.limit_remaining' },
  ];
}

/** @returns the amount, or why there is none. What the service has written is not repeated. */
async function readSource(
  { url, path, usedPath }: CreditSource,
  headers: [string, string][],
): Promise<number | string> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    // A redirect would get the key.
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    if (!response.ok) {
      await response.body?.cancel();
      return `it answered ${response.status}`;
    }
    const body = parseJson(await readText(response));
    const amounts = [path, usedPath].map((at) => (at === undefined ? 0 : findAmount(body, at)));
    const [amount = null, used = null] = amounts;
    return amount === null || used === null ? 'its answer has no such number' : amount - used;
  } catch {
    return signal.aborted ? 'it did not answer in time' : 'it cannot be reached';
  }
}

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) return '';
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Some services write amounts as text. Null: there is none, or none that can be. */
function findAmount(body: unknown, path: string): number | null {
  const value = path.split('.').reduce<unknown>((parent, name) => {
    if (!isJsonObject(parent) && !Array.isArray(parent)) return undefined;
    return Object.hasOwn(parent, name) ? Reflect.get(parent, name) : undefined;
  }, body);
  const isText = typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,20})?$/.test(value.trim());
  const amount = typeof value === 'number' || isText ? Number(value) : Number.NaN;
  return Math.abs(amount) <= amountMax ? amount : null;
}

function toPairs(alternating: readonly string[]): [string, string][] {
  return alternating.flatMap((name, index) =>
    index % 2 === 0 ? [[name, alternating[index + 1] ?? ''] as [string, string]] : [],
  );
}
