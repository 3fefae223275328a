import { decodeBody, send } from '../../support/clients/http-client.ts';
import type { ListedRequest } from './list-requests.ts';

export type ReceivedResponse = Readonly<{
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}>;

/** Sends a request over node:http: `fetch` would add headers and normalize the path. */
export async function sendRequest(
  { url, key }: Readonly<{ url: string; key: string }>,
  { method, path, headers, body, isConditional, hasKey }: ListedRequest,
): Promise<ReceivedResponse> {
  const sendWith = (validators: Readonly<Record<string, string>>) =>
    send({ port: Number(new URL(url).port) }, path, {
      method,
      headers: {
        ...headers,
        ...validators,
        ...(hasKey && { Authorization: `Bearer ${key}` }),
        ...(body !== null && { 'Content-Type': 'application/json' }),
      },
      ...(body !== null && { body: JSON.stringify(body) }),
    });
  const first = await sendWith({});
  const response = isConditional
    ? await sendWith({ 'If-None-Match': first.header('etag') })
    : first;
  const entries = Object.entries(response.headers);
  return {
    status: response.status,
    headers: Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
    body: response.body.length === 0 ? response.body : await decodeBody(response),
  };
}
