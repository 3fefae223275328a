import {
  createMcpHandler,
  isJsonContentType,
  localhostAllowedHostnames,
  validateHostHeader,
} from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import { isNestedWithin } from '#lib/ai-proxy/protocols/json/measure-json.ts';
import { jsonDepthMax } from '#lib/ai-proxy/protocols/json/parse-json.ts';
import type { Site } from '#lib/events/view/site-urls.ts';
import { corsHeaders, preflightHeaders } from '#lib/http/cors.ts';
import { createApiError, toHttpError } from '#lib/http/errors/errors.ts';
import { isJsonObject, parseJsonObject } from '#lib/http/json-value.ts';
import { readBody } from '#lib/http/read-body.ts';
import { acceptQuality } from '#lib/http/representations/accept.ts';
import { createResponse } from '#lib/http/response.ts';
import { createRoute, type Handle, type Route, type RouteStyle } from '#lib/http/route.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';
import { createMcpServer, type McpParts } from './mcp-server.ts';
import { withoutNulls } from './tool-arguments.ts';

/** Request headers of MCP clients, old and new. */
const allowedHeaders =
  'Accept, Authorization, Content-Type, Last-Event-Id, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, X-Request-Id';

/**
 * Creates a stateless MCP endpoint (Streamable HTTP): POST only. It never starts a session, so a session id
 * that a client sends means nothing.
 */
export function createMcpRoute(getParts: () => McpParts): Route {
  const handler = createMcpHandler(() => createMcpServer(getParts()), {
    // Nothing that is offered changes while the process runs.
    maxSubscriptions: 0,
  });
  const call: Handle<McpParts> = async (request, parts) => {
    const accept = request.headers.get('accept');
    const message = withoutNulls(await readMessage(request));
    const list = findList(parts, message, request.headers);
    if (list?.reply !== undefined) return toAcceptedType(list.reply, accept);
    const headers = new Headers(request.headers);
    // The SDK refuses clients that do not name both, and many do not.
    headers.set('Accept', 'application/json, text/event-stream');
    const { url, method, signal } = request;
    const reply = await parts.takeTurn(request, request, async () =>
      readReply(
        await handler.fetch(new Request(url, { method, headers, signal }), { parsedBody: message }),
      ),
    );
    list?.keep(reply);
    return toAcceptedType(reply, accept);
  };
  return createRoute(getParts, { POST: call }, mcpStyle);
}

/** What the SDK has made of a request, in messages of JSON-RPC. */
type Reply = Readonly<{ status: number; headers: Headers; messages: readonly string[] }>;

/** JSON or an event stream, as the SDK chose. */
async function readReply(response: Response): Promise<Reply> {
  const { status, headers } = response;
  const body = await response.text();
  const isStream = headers.get('content-type')?.startsWith(eventStream) === true;
  const messages = isStream
    ? [...body.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => data)
    : [body].filter((text) => text !== '');
  return { status, headers, messages };
}

/**
 * JSON, whatever the SDK chose, or an event stream for clients that read nothing else: nothing here takes long enough
 * to be streamed.
 */
function toAcceptedType({ status, headers, messages }: Reply, accept: string | null): Response {
  const [first] = messages;
  if (first === undefined) return new Response(null, { status, headers });
  const wantsStream =
    acceptQuality(accept, 'application/json') === 0 && acceptQuality(accept, eventStream) > 0;
  const accepted = new Headers(headers);
  accepted.set('Content-Type', wantsStream ? eventStream : 'application/json');
  accepted.delete('Content-Length');
  // Whether the connection stays open is the client’s choice.
  accepted.delete('Connection');
  const text = wantsStream
    ? messages.map((message) => `event: message\ndata: ${message}\n\n`).join('')
    : messages.length === 1
      ? first
      : `[${messages.join(',')}]`;
  return new Response(text, { status, headers: accepted });
}

/** They change with a deploy only, and making one takes longer than most calls. */
const listMethods: ReadonlySet<unknown> = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'server/discover',
]);
/** Headers that select a version of the protocol. */
const listHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'];
const listsMax = 50;
const listKeyLengthMax = 2000;

type StoredList = Pick<Reply, 'status' | 'headers'> & Readonly<{ result: string }>;

const lists = new WeakMap<McpParts, LRUCache<string, StoredList>>();

/** The reply to a request for a list, if one like it was made before; null: it is another request. */
function findList(parts: McpParts, message: unknown, headers: Headers) {
  if (!isJsonObject(message) || !listMethods.has(message.method)) return null;
  const { jsonrpc, method, params, id } = message;
  const hasId = typeof id === 'string' || Number.isSafeInteger(id);
  const { notice = null } = parts.site;
  const named = listHeaders.map((name) => headers.get(name));
  const key = JSON.stringify([method, params, ...named, notice]);
  if (jsonrpc !== '2.0' || !hasId || key.length > listKeyLengthMax) return null;
  const known = lists.get(parts) ?? new LRUCache<string, StoredList>({ max: listsMax });
  lists.set(parts, known);
  const found = known.get(key);
  return {
    reply: found && {
      ...found,
      messages: [`{"result":${found.result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`],
    },
    keep({ status, headers, messages }: Reply) {
      const { result } = parseJsonObject(messages[0] ?? '') ?? {};
      if (status === 200 && messages.length === 1 && result !== undefined) {
        known.set(key, { status, headers, result: JSON.stringify(result) });
      }
    },
  };
}

const eventStream = 'text/event-stream';

/** JSON-RPC 2.0 §5.1; -32000 is for errors of the transport. */
const errorNumbers: Readonly<Record<string, number>> = {
  bad_request: -32700,
  internal_error: -32603,
};

const mcpStyle: RouteStyle<McpParts> = {
  headers: [...corsHeaders, ...commonSecurityHeaders, ['Cache-Control', 'no-store']],
  check: (request, { site }) => checkHost(request, site),
  toPreflightHeaders: (allowed) => preflightHeaders(allowed, allowedHeaders),
  rejectMethod: (_, allowed) =>
    createApiError('method_not_allowed', {
      message: 'This is an MCP endpoint without sessions or streams of its own.',
      hint: 'POST one JSON-RPC message.',
      headers: { Allow: allowed },
    }),
  toErrorResponse(thrown) {
    const failure = toHttpError(thrown);
    const { code, status, message, hint } = failure;
    const error = {
      code: errorNumbers[code ?? ''] ?? -32000,
      message: hint === undefined ? message : `${message} ${hint}`,
    };
    const response = createResponse({
      status,
      headers: [['Content-Type', 'application/json'], ...Object.entries(failure.headers)],
      body: `${JSON.stringify({ jsonrpc: '2.0', error, id: null })}\n`,
    });
    return { failure, response };
  },
};

/**
 * Protects servers on a loopback or private network from DNS rebinding: a page of another site that points its own
 * name at this server still sends that name as Host. Pages of any origin may call: what they read is public.
 * @throws HttpError 403
 */
function checkHost(request: Request, site: Site): void {
  const { hostname } = new URL(site.url);
  const host = validateHostHeader(request.headers.get('host'), [
    hostname,
    ...localhostAllowedHostnames(),
  ]);
  if (host.ok) return;
  throw createApiError('forbidden', {
    message: `The Host header does not name this server, which is ${hostname}.`,
    hint: 'If a reverse proxy changes the header, let it pass on the one it received.',
  });
}

const bodyBytesMax = 256 * 1024;
/** Only clients of 2025-03-26 send batches. */
const batchMax = 10;

/**
 * Reads the JSON-RPC message of a request; the SDK validates it.
 * @throws HttpError 415, 413, or 400 for a body that is not JSON.
 */
async function readMessage(request: Request): Promise<unknown> {
  if (!isJsonContentType(request.headers.get('content-type'))) {
    throw createApiError('unsupported_media_type', {
      message: 'The body must be JSON.',
      hint: 'Send `Content-Type: application/json`.',
    });
  }
  const message = parse(await readBody(request, bodyBytesMax));
  if (Array.isArray(message) && message.length > batchMax) {
    throw createApiError('bad_request', {
      message: `The batch has ${message.length} messages.`,
      hint: `Send at most ${batchMax}.`,
    });
  }
  return message;
}

function parse(body: Uint8Array): unknown {
  let cause: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    if (isNestedWithin(text, jsonDepthMax)) return JSON.parse(text);
  } catch (error) {
    cause = error;
  }
  throw createApiError('bad_request', {
    message: `The body is not valid JSON of at most ${jsonDepthMax} levels.`,
    hint: 'Send one JSON-RPC message, in UTF-8.',
    cause,
  });
}
