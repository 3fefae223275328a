import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** An upstream that answers as a test says, on loopback; it ends with the test’s scope. */
export async function startRawUpstream(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
) {
  const open = new Set<ServerResponse>();
  const seen = { requests: 0, aborted: 0 };
  const server = createServer((request, response) => {
    seen.requests += 1;
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      if (!response.writableFinished) seen.aborted += 1;
    });
    request.resume().once('end', () => answer(response, request));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    seen,
    /** Answers under way. */
    open: () => open.size,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const eventStream = { 'content-type': 'text/event-stream' };

/** A chat chunk with a piece of text, as a frame. */
export function toChatFrame(content: string, finishReason: string | null = null): string {
  const chunk = {
    ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' },
    choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: finishReason }],
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
