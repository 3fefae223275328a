import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import {
  type Api,
  type BilledReply,
  type Counts,
  type Frame,
  toFrames,
  toJsonReply,
} from './billed-replies.ts';
import { startRawUpstream } from './raw-upstream.ts';

/** Prices of a list in OpenRouter's format: US dollars, as decimals. */
export type Pricing = Readonly<
  { prompt: string; completion: string; overrides?: readonly object[] } & Partial<
    Record<
      | 'request'
      | 'image'
      | 'web_search'
      | 'internal_reasoning'
      | 'input_cache_read'
      | 'input_cache_write'
      | 'audio'
      | 'input_audio_cache'
      | 'audio_output'
      | 'image_token'
      | 'image_output',
      string
    >
  >
>;

export type Listing = Readonly<{
  pricing?: Pricing;
  contextTokens?: number;
  replyTokensMax?: number;
}>;

/** What one request gets. */
export type Script = Readonly<{
  reply: BilledReply;
  /** Replaces the list price of a complete reply, such as by the cost that the reply reports. */
  toBilledUsd?: (listUsd: number) => number;
  /** An error response with this status; it costs nothing unless its body has a usage. */
  status?: number;
  errorBody?: object;
  /** Before the first byte. */
  waitMs?: number;
  /** Before each event of a stream. */
  frameMs?: number;
  isCompressed?: boolean;
  /** Of a reply in JSON. */
  contentType?: string;
  /** JSON in place of a stream. */
  isJsonOnly?: boolean;
  /**
   * `left`: it waits in the middle until its client has left; `broke`: it closes the connection there; `held`: it
   * waits there until it is released.
   */
  outcome?: 'complete' | 'left' | 'broke' | 'held';
}>;

export type ModelRequest = Readonly<Record<string, unknown>> &
  Readonly<{ model: string; stream?: boolean }>;

/** One item of the bill. */
export type Billed = Readonly<{ model: string; tokens: number; usd: number }>;

export type BillingUpstreamOptions = Readonly<{
  models: Readonly<Record<string, Listing>>;
  toScript: (request: ModelRequest, api: Api) => Script;
}>;

type StreamOptions = Readonly<{
  response: ServerResponse;
  model: string;
  api: Api;
  script: Script;
  closed: AbortSignal;
  charge: Charge;
}>;

type Charge = (counts: Counts, isComplete: boolean) => void;

const apis: readonly (readonly [end: string, api: Api])[] = [
  ['/chat/completions', 'chat'],
  ['/responses', 'responses'],
  ['/messages', 'messages'],
];
/** How long it stays open for a client that leaves. */
const leavesWithinMs = 10_000;
/** How often it looks whether its client has left. */
const lookMs = 20;

/**
 * An upstream that keeps its own bill: complete replies by their counts or by the cost that it reports; aborted and
 * broken streams by the prompt and what it had sent; JSON in full, whether anybody waits for it or not. Paths before
 * `/v1` list the models whose ids begin with their name: `/native/v1` those of `native/…`; `/v1` lists all.
 */
export async function startBillingUpstream({ models, toScript }: BillingUpstreamOptions) {
  const bill: Billed[] = [];
  const requests: ModelRequest[] = [];
  let unbilled = 0;
  const reached = createSignals();
  const released = createSignals();

  async function respond(response: ServerResponse, api: Api, body: ModelRequest): Promise<void> {
    requests.push(body);
    const script = toScript(body, api);
    const { pricing } = models[body.model] ?? {};
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const charge: Charge = (counts, isComplete) => {
      const listUsd = toListUsd(counts, pricing);
      const usd = isComplete ? (script.toBilledUsd?.(listUsd) ?? listUsd) : listUsd;
      bill.push({ model: body.model, tokens: counts.input + counts.output, usd });
    };
    const { reply, status = 200 } = script;
    const isStream = body.stream === true;
    if (isStream && !script.isJsonOnly && status === 200) {
      await sendStream({ response, model: body.model, api, script, closed: closed.signal, charge });
      return;
    }
    // It works on, whether anybody waits for the reply or not.
    if (script.outcome === 'left' || script.outcome === 'held') {
      reached.emit(body.model);
      const isAborted = isStream && script.outcome === 'left';
      await (isAborted ? whileOpen(closed.signal, leavesWithinMs) : released.wait(body.model));
    }
    await delay(script.waitMs ?? 0);
    const isGone = isStream && closed.signal.aborted;
    if (status !== 200) {
      if (!isGone && hasUsage(script.errorBody)) charge(reply.counts, true);
      sendJson(response, status, script.errorBody ?? {}, script);
      return;
    }
    const isUnknown = script.outcome === 'broke';
    if (isStream && (isGone || isUnknown)) charge({ ...reply.counts, output: 0 }, false);
    else charge(reply.counts, true);
    sendJson(response, 200, toJsonReply(api, reply), script);
  }

  async function serve(response: ServerResponse, api: Api, body: ModelRequest): Promise<void> {
    unbilled += 1;
    await respond(response, api, body).finally(() => {
      unbilled -= 1;
    });
  }

  async function sendStream({
    response,
    model,
    api,
    script,
    closed,
    charge,
  }: StreamOptions): Promise<void> {
    const frames = toFrames(api, script.reply);
    const { reply, outcome = 'complete', isCompressed = false, waitMs = 0 } = script;
    const zip = isCompressed ? createGzip() : null;
    zip?.pipe(response);
    const sent: Frame[] = [];
    if (waitMs > 0 && outcome === 'left') reached.emit(model);
    await whileOpen(closed, waitMs > 0 && outcome === 'left' ? leavesWithinMs : waitMs);
    if (!closed.aborted) {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        ...(isCompressed && { 'content-encoding': 'gzip' }),
      });
      response.flushHeaders();
    }
    for (const frame of frames) {
      if (script.frameMs !== undefined) await delay(script.frameMs);
      if (closed.aborted) break;
      sent.push(frame);
      if (frame.text !== '') {
        (zip ?? response).write(frame.text);
        if (zip !== null) await new Promise<void>((resolve) => zip.flush(resolve));
      }
      if (frame.isGarbage) await whileOpen(closed, leavesWithinMs);
      if (frame.isHalf && outcome === 'left') {
        reached.emit(model);
        await whileOpen(closed, leavesWithinMs);
      }
      if (frame.isHalf && outcome === 'held') {
        reached.emit(model);
        await Promise.race([released.wait(model), once(response, 'close')]);
      }
      if (frame.isHalf && outcome === 'broke') {
        await delay(20);
        response.destroy();
        break;
      }
      await new Promise(setImmediate);
    }
    if (sent.length === frames.length) charge(reply.counts, true);
    else charge(toPart(reply.counts, sent), false);
    if (zip !== null) zip.end();
    else response.end();
  }

  function respondWithModels(response: ServerResponse, { url = '' }: IncomingMessage): void {
    const [, place = ''] = url.split('/');
    const isListed = (id: string) => place === 'v1' || id.startsWith(`${place}/`);
    const data = Object.entries(models).filter(([id]) => isListed(id));
    sendJson(response, 200, { data: data.map(([id, listing]) => toListedModel(id, listing)) });
  }

  const upstream = await startRawUpstream((response, request, body) => {
    const { method, url = '' } = request;
    const api = apis.find(([end]) => url.endsWith(end))?.[1];
    if (method === 'GET' && url.endsWith('/v1/models')) respondWithModels(response, request);
    else if (api === undefined) response.writeHead(404).end();
    else void serve(response, api, JSON.parse(body));
  });
  return {
    ...upstream,
    origin: upstream.url.slice(0, -'/v1'.length),
    bill,
    requests,
    /** The item of the last request for a model. */
    billOf: (model: string) => bill.filter((billed) => billed.model === model),
    totalUsd: () => bill.reduce((sum, { usd }) => sum + usd, 0),
    totalTokens: () => bill.reduce((sum, { tokens }) => sum + tokens, 0),
    /** Requests that are not on the bill yet: the client of a complete stream may have its last frame before. */
    unbilled: () => unbilled,
    /** Waits until a request with the outcome `left` is in its middle. */
    reached: reached.wait,
    /** Lets a JSON request with the outcome `left` go on. */
    release: released.emit,
  };
}

export type BillingUpstream = Awaited<ReturnType<typeof startBillingUpstream>>;

/** A price list with these dollars for a million tokens. */
export function toPricing(
  inputPerMillion: number,
  outputPerMillion: number,
  others: Partial<Pricing> = {},
): Pricing {
  return {
    prompt: toDecimal(inputPerMillion / 1e6),
    completion: toDecimal(outputPerMillion / 1e6),
    ...others,
  };
}

function toDecimal(value: number): string {
  return value.toFixed(12);
}

/** By the list, as an invoice has it. */
function toListUsd(counts: Counts, listed: Pricing | undefined): number {
  if (listed === undefined) return 0;
  const isLonger = ({ min_prompt_tokens: bound }: { min_prompt_tokens?: number }) =>
    counts.input > Number(bound);
  const pricing: Pricing = { ...listed, ...listed.overrides?.findLast(isLonger) };
  const { input, output, cached = 0, written = 0, writtenHour = 0 } = counts;
  const { reasoning = 0, searches = 0, images = 0 } = counts;
  const price = (text: string | undefined, fallback: number) =>
    text === undefined ? fallback : Number(text);
  const { audio = 0, picture = 0, audioOutput = 0, pictureOutput = 0 } = counts;
  const prompt = Number(pricing.prompt);
  const completion = Number(pricing.completion);
  const cachedAudio = Math.max(0, audio - (input - cached - written));
  return (
    (input - cached - written - picture - audio + cachedAudio) * prompt +
    picture * price(pricing.image_token, prompt) +
    (audio - cachedAudio) * price(pricing.audio, prompt) +
    cachedAudio * price(pricing.input_audio_cache, prompt) +
    (cached - cachedAudio) * price(pricing.input_cache_read, prompt) +
    (written - writtenHour) * price(pricing.input_cache_write, prompt * 1.25) +
    writtenHour * prompt * 2 +
    (output - reasoning - audioOutput - pictureOutput) * completion +
    audioOutput * price(pricing.audio_output, completion) +
    pictureOutput * price(pricing.image_output, completion) +
    reasoning * price(pricing.internal_reasoning, completion) +
    searches * price(pricing.web_search, 0) +
    images * price(pricing.image, 0) +
    (counts.callsUsd ?? 0) +
    price(pricing.request, 0)
  );
}

/** The prompt and what was sent, or reported in it. */
function toPart(counts: Counts, sent: readonly Frame[]): Counts {
  const { searches: _, reasoning: __, ...prompt } = counts;
  const tokens = sent.reduce((sum, frame) => sum + (frame.tokens ?? 0), 0);
  const reported = sent.map(({ reports }) => reports?.output ?? 0);
  return { ...prompt, output: Math.max(tokens, ...reported) };
}

function toListedModel(id: string, { pricing, contextTokens, replyTokensMax }: Listing): object {
  return {
    id,
    context_length: contextTokens ?? 1_000_000,
    top_provider: {
      context_length: contextTokens ?? 1_000_000,
      max_completion_tokens: replyTokensMax ?? 100_000,
    },
    ...(pricing !== undefined && { pricing }),
  };
}

function sendJson(response: ServerResponse, status: number, body: object, script?: Script): void {
  const bytes = Buffer.from(JSON.stringify(body));
  const sent = script?.isCompressed ? gzipSync(bytes) : bytes;
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': script?.contentType ?? 'application/json',
    'content-length': sent.length,
    ...(script?.isCompressed && { 'content-encoding': 'gzip' }),
  });
  if (script?.outcome !== 'broke') response.end(sent);
  else response.write(sent.subarray(0, sent.length / 2), () => response.destroy());
}

function hasUsage(body: object | undefined): boolean {
  return body !== undefined && 'usage' in body;
}

/** Waits in steps: a machine that stands still for seconds gives the client no turn in them, either. */
async function whileOpen(closed: AbortSignal, ms: number): Promise<void> {
  for (let left = ms; left > 0 && !closed.aborted; left -= lookMs) await delay(lookMs);
}

/** Named events that also those see who come later. */
function createSignals() {
  const seen = new Map<string, PromiseWithResolvers<void>>();
  const find = (name: string) => {
    const signal = seen.get(name) ?? Promise.withResolvers<void>();
    seen.set(name, signal);
    return signal;
  };
  return {
    emit: (name: string) => find(name).resolve(),
    wait: (name: string) => find(name).promise,
  };
}
