import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from './loopback-server.ts';

/** Starts a server that records the paths of its requests, and stops with the test. */
export async function openFileServer(listener: RequestListener) {
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    listener(request, response);
  });
  const { url, port, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return { url, port, requestedPaths };
}
