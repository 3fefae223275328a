import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { webhooksCommand } from '#lib/cli/webhooks/webhooks.ts';
import type { Environment } from '#lib/config/config.ts';
import { callCommand } from './programs/call-command.ts';
import { listenOnLoopback } from './servers/loopback-server.ts';

export type Received = Readonly<{
  id: string;
  path: string;
  body: string;
  headers: IncomingMessage['headers'];
}>;

type ToStatus = (received: Received) => number | Promise<number>;

/** A server that takes webhooks on any path, and a status for each. */
export async function startWebhookReceiver(
  toStatus: ToStatus = () => 204,
  headers: OutgoingHttpHeaders = {},
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const delivery = {
      id: String(request.headers['webhook-id']),
      path: request.url ?? '',
      body: await text(request),
      headers: request.headers,
    };
    received.push(delivery);
    response.writeHead(await toStatus(delivery), headers).end();
  });
  const listening = await listenOnLoopback(server);
  const host = `127.0.0.1:${listening.port}`;
  return { ...listening, host, url: `http://${host}/hook`, received };
}

/** Creates a webhook as an operator does. @returns its secret. */
export async function createWebhook(settings: Environment, url: string): Promise<string> {
  const { out } = await callCommand(webhooksCommand, ['create', '--url', url, '--quiet'], settings);
  return out.trim();
}

/** Whether the reference implementation of Standard Webhooks accepts a message. */
export function isVerified({ headers, body }: Received, secret: string): boolean {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  try {
    new Webhook(secret).verify(
      body,
      Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    );
    return true;
  } catch {
    return false;
  }
}
