import { apiPaths, type Question, toRequestBody } from './chat-request.ts';
import { parseObject, type ReplyEvent, readError, readReplyEvents } from './reply-event.ts';
import { createSseReader } from './sse-reader.ts';

type StreamOptions = Readonly<{
  /** Where the proxy is; empty for the page's own site. */
  siteUrl?: string;
  key: string;
  signal: AbortSignal;
  onEvent: (event: ReplyEvent) => void;
}>;

/**
 * Asks a model, and tells each event of its reply as it arrives; the last one is always `ended` or `failed`.
 * @throws DOMException AbortError where the signal ends it, TypeError where no answer comes at all.
 */
export async function streamReply(question: Question, options: StreamOptions): Promise<void> {
  const { siteUrl = '', key, signal, onEvent } = options;
  const response = await fetch(siteUrl + apiPaths[question.api], {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body: JSON.stringify(toRequestBody(question)),
    signal,
  });
  if (!response.ok || response.body === null) {
    onEvent({ kind: 'failed', error: await readFailure(response) });
    return;
  }
  const sse = createSseReader();
  let isOver = false;
  // Not all browsers can iterate over a stream.
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    for (const event of sse.push(read.value).flatMap(readReplyEvents)) {
      // A failure is followed by the end of the stream, which says nothing more.
      if (!isOver) onEvent(event);
      isOver ||= event.kind === 'failed' || event.kind === 'ended';
    }
  }
  if (!isOver) onEvent({ kind: 'failed', error: brokenOff(response.status) });
}

async function readFailure(response: Response) {
  const { status } = response;
  const body = parseObject(await response.text());
  return (
    readError(body, status) ?? { status, code: null, message: `The server answered ${status}.` }
  );
}

function brokenOff(status: number) {
  return { status, code: 'stream_cut', message: 'The stream ended before the reply did.' };
}
