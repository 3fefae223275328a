import { EventSourceParserStream } from 'eventsource-parser/stream';
import { type JsonObject, parseJson, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';
import { apiPaths, type ChatRequest, sessionPaths, toRequestBody } from './chat-request.ts';

type StreamOptions = Readonly<{
  /** The proxy's origin; empty for the page's own. */
  siteUrl?: string;
  key: string;
  /** In place of a key: that of the member's session, on the account pages. */
  formToken?: string | undefined;
  signal: AbortSignal;
  onEvent: (event: ReplyEvent) => void;
}>;

/**
 * Sends a request and reports each event of its reply; the last one is always `ended` or `failed`.
 * @throws DOMException AbortError where the signal aborts it, TypeError where there is no response.
 */
export async function streamReply(request: ChatRequest, options: StreamOptions): Promise<void> {
  const { siteUrl = '', key, formToken, signal, onEvent } = options;
  const path = formToken === undefined ? apiPaths[request.api] : sessionPaths[request.api];
  const access: Record<string, string> =
    formToken === undefined ? { Authorization: `Bearer ${key}` } : { 'X-Form-Token': formToken };
  const response = await fetch(siteUrl + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...access },
    body: JSON.stringify(toRequestBody(request)),
    signal,
  });
  if (!response.ok || response.body === null) {
    onEvent({ kind: 'failed', error: await readFailure(response) });
    return;
  }
  let isOver = false;
  // Not all browsers can iterate over a stream.
  const reader = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    for (const event of readReplyEvents(read.value.data)) {
      // After a failure comes `[DONE]`, which means nothing more.
      if (!isOver) onEvent(event);
      isOver ||= event.kind === 'failed' || event.kind === 'ended';
    }
  }
  if (!isOver) onEvent({ kind: 'failed', error: toCutError(response.status) });
}

async function readFailure(response: Response) {
  const { status } = response;
  const body = toJsonObject(parseJson(await response.text()));
  return (
    readError(body, status) ?? {
      status,
      code: null,
      message: `The server responded with ${status}.`,
    }
  );
}

function toCutError(status: number) {
  return { status, code: 'stream_cut', message: 'The stream ended before the reply did.' };
}

export type Usage = Readonly<{ tokensIn: number; tokensOut: number }>;

/** An error as the proxy sent it; `toErrorMessage` has the text for visitors. */
export type ReplyError = Readonly<{ status: number; code: string | null; message: string }>;

/** An event of a reply, of either API. */
export type ReplyEvent =
  | Readonly<{ kind: 'text'; text: string }>
  /** Messages sends the two apart. */
  | Readonly<{ kind: 'usage'; usage: Partial<Usage> }>
  /** The reply was cut short: by its own length, or by a filter. */
  | Readonly<{ kind: 'cut'; reason: string }>
  | Readonly<{ kind: 'failed'; error: ReplyError }>
  | Readonly<{ kind: 'ended' }>;

/** Parses the data of one event of any API; unknown and unreadable ones give nothing. */
export function readReplyEvents(data: string): ReplyEvent[] {
  if (data.trim() === '[DONE]') return [{ kind: 'ended' }];
  const event = toJsonObject(parseJson(data));
  const error = readError(event, 200);
  if (error !== null) return [{ kind: 'failed', error }];
  if (typeof event.type !== 'string') return readChatChunk(event);
  return event.type.startsWith('response.') ? readResponsesEvent(event) : readMessagesEvent(event);
}

/** The error in a body or an event, as OpenAI’s API has it; null where there is none. */
function readError(body: JsonObject, status: number): ReplyError | null {
  const error = toJsonObject(body.error);
  if (typeof error.message !== 'string') return null;
  const code = toText(error.code) ?? codesOfTypes[toText(error.type) ?? ''] ?? null;
  return { status, code, message: error.message };
}

/** The codes of Anthropic’s errors, which have a type alone. */
const codesOfTypes: Readonly<Record<string, string>> = {
  authentication_error: 'invalid_api_key',
  billing_error: 'insufficient_quota',
  not_found_error: 'model_not_found',
  rate_limit_error: 'rate_limit_exceeded',
  overloaded_error: 'server_is_overloaded',
  timeout_error: 'upstream_timeout',
  api_error: 'upstream_error',
};

function readMessagesEvent(event: JsonObject): ReplyEvent[] {
  const delta = toJsonObject(event.delta);
  if (event.type === 'content_block_delta') return toTextEvents(delta.text);
  if (event.type === 'message_start') {
    return toMessagesUsage(toJsonObject(toJsonObject(event.message).usage));
  }
  if (event.type === 'message_stop') return [{ kind: 'ended' }];
  if (event.type !== 'message_delta') return [];
  const reason = cutReasons[toText(delta.stop_reason) ?? ''];
  return [
    ...toMessagesUsage(toJsonObject(event.usage)),
    ...(reason === undefined ? [] : [{ kind: 'cut' as const, reason }]),
  ];
}

/** What was cached is part of the input. */
function toMessagesUsage(usage: JsonObject): ReplyEvent[] {
  const {
    input_tokens: fresh,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: tokensOut,
  } = usage;
  const known = {
    ...(typeof fresh === 'number' && { tokensIn: fresh + toCount(read) + toCount(written) }),
    ...(typeof tokensOut === 'number' && { tokensOut }),
  };
  return Object.keys(known).length === 0 ? [] : [{ kind: 'usage', usage: known }];
}

function toCount(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function readResponsesEvent(event: JsonObject): ReplyEvent[] {
  if (event.type === 'response.output_text.delta') return toTextEvents(event.delta);
  if (event.type === 'response.refusal.delta') return toTextEvents(event.delta);
  const response = toJsonObject(event.response);
  if (event.type === 'response.failed') {
    return [{ kind: 'failed', error: readError(response, 200) ?? unknownFailure }];
  }
  const isIncomplete = event.type === 'response.incomplete';
  if (event.type !== 'response.completed' && !isIncomplete) return [];
  const reason = toText(toJsonObject(response.incomplete_details).reason) ?? 'unknown';
  const usage = toJsonObject(response.usage);
  return [
    ...toUsageEvents(usage.input_tokens, usage.output_tokens),
    ...(isIncomplete ? [{ kind: 'cut' as const, reason }] : []),
  ];
}

const unknownFailure: ReplyError = {
  status: 200,
  code: null,
  message: 'The model failed in the middle of its reply.',
};

const cutReasons: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  max_tokens: 'max_output_tokens',
  refusal: 'content_filter',
  content_filter: 'content_filter',
};

function readChatChunk(chunk: JsonObject): ReplyEvent[] {
  const choice = toJsonObject(toJsonArray(chunk.choices)[0]);
  const delta = toJsonObject(choice.delta);
  const usage = toJsonObject(chunk.usage);
  const reason = cutReasons[toText(choice.finish_reason) ?? ''];
  return [
    ...toTextEvents(delta.content),
    ...toTextEvents(delta.refusal),
    ...toUsageEvents(usage.prompt_tokens, usage.completion_tokens),
    ...(reason === undefined ? [] : [{ kind: 'cut' as const, reason }]),
  ];
}

function toTextEvents(text: unknown): ReplyEvent[] {
  return typeof text === 'string' && text !== '' ? [{ kind: 'text', text }] : [];
}

function toUsageEvents(tokensIn: unknown, tokensOut: unknown): ReplyEvent[] {
  if (typeof tokensIn !== 'number' || typeof tokensOut !== 'number') return [];
  return [{ kind: 'usage', usage: { tokensIn, tokensOut } }];
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
