import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '../servers/loopback-server.ts';

/** Starts an upstream with its own handler; it stops with the scope. */
export async function startRawUpstream(
  respond: (response: ServerResponse, request: IncomingMessage, body: string) => void,
) {
  const open = new Set<ServerResponse>();
  const seen = { requests: 0, aborted: 0 };
  // By default a connection that is not used is closed after 5 s, also while a request is on its way.
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    seen.requests += 1;
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      if (!response.writableFinished) seen.aborted += 1;
    });
    text(request).then(
      (body) => respond(response, request, body),
      () => {},
    );
  });
  const listening = await listenOnLoopback(server);
  return {
    ...listening,
    url: `${listening.url}/v1`,
    seen,
    /** Responses in progress. */
    open: () => open.size,
  };
}

export const eventStream = { 'content-type': 'text/event-stream' };

/** A chat chunk as a server-sent event. */
export function toChatFrame(content: string, finishReason: string | null = null): string {
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: finishReason }],
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
