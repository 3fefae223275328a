import { EventSourceParserStream } from 'eventsource-parser/stream';
import { apiPaths, type ChatRequest, sessionPaths, toRequestBody } from './chat-request.ts';
import { parseObject, type ReplyEvent, readError, readReplyEvents } from './reply-event.ts';

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
  const body = parseObject(await response.text());
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
