import {
  createMcpHandler,
  isJsonContentType,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { ServerRequest } from 'srvx';
import type { Site } from '#lib/events/view/site-urls.ts';
import type { RouteHandler } from '#lib/http/api-route.ts';
import { corsHeaders, preflightHeaders } from '#lib/http/cors.ts';
import { catchErrors, type ErrorResponder } from '#lib/http/errors/catch-errors.ts';
import { createApiError, toHttpError } from '#lib/http/errors/errors.ts';
import { readBody } from '#lib/http/read-body.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';
import { createMcpServer, type McpParts } from './mcp-server.ts';

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const methods = 'POST, OPTIONS';
const headers: HeaderFields = [
  ...corsHeaders,
  ...commonSecurityHeaders,
  ['Cache-Control', 'no-store'],
];
/** Request headers of MCP clients, old and new. */
const allowedHeaders =
  'Accept, Authorization, Content-Type, Last-Event-Id, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, X-Request-Id';

/**
 * Creates the handlers of a stateless MCP endpoint (Streamable HTTP): POST only. It never starts a session, so a
 * session id that a client sends means nothing.
 */
export function createMcpRoute(
  getParts: () => McpParts,
): Readonly<Record<Method, RouteHandler<unknown>>> {
  const handler = createMcpHandler(() => createMcpServer(getParts()), {
    // Nothing that is offered changes while the process runs.
    maxSubscriptions: 0,
  });

  const respond =
    (handle: (request: Request, parts: McpParts) => Response | Promise<Response>) =>
    (request: Request) =>
      catchErrors({ request, services: getParts(), toErrorResponse, headers }, (parts) => {
        checkOrigin(request, parts.site);
        return handle(request, parts);
      });

  const call = respond(async (request) => {
    const response = await handler.fetch(request, { parsedBody: await readMessage(request) });
    return new Response(response.body, response);
  });
  const describe = respond(() =>
    createResponse({
      status: 204,
      headers: [...preflightHeaders(methods), ['Access-Control-Allow-Headers', allowedHeaders]],
      body: null,
    }),
  );
  const reject = respond(() => {
    throw createApiError('method_not_allowed', {
      message: 'This is an MCP endpoint without sessions or streams of its own.',
      hint: 'POST one JSON-RPC message.',
      headers: { Allow: methods },
    });
  });
  return {
    GET: reject,
    HEAD: reject,
    OPTIONS: describe,
    POST: call,
    PUT: reject,
    PATCH: reject,
    DELETE: reject,
  };
}

/** JSON-RPC 2.0 §5.1; -32000 is for errors of the transport. */
const errorNumbers: Readonly<Record<string, number>> = {
  bad_request: -32700,
  internal_error: -32603,
};

const toErrorResponse: ErrorResponder<McpParts> = (thrown) => {
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
};

/**
 * The Host header that the client sent. The request handler replaces it, so that no response depends on it;
 * it stays among the raw headers.
 */
export function readClientHost(request: Request): string | null {
  const incoming = (request as ServerRequest).runtime?.node?.req;
  if (incoming === undefined) return request.headers.get('host');
  const { rawHeaders } = incoming;
  const position = rawHeaders.findIndex(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'host',
  );
  return position === -1 ? null : (rawHeaders[position + 1] ?? null);
}

/**
 * Protects servers on a loopback or private network from DNS rebinding, as Streamable HTTP requires: a page of
 * another site that points its own name at this server still sends that name as Host and Origin. Both must name
 * the host of `SITE_URL` or this machine.
 * @throws HttpError 403
 */
function checkOrigin(request: Request, site: Site): void {
  const { hostname } = new URL(site.url);
  const host = validateHostHeader(readClientHost(request), [
    hostname,
    ...localhostAllowedHostnames(),
  ]);
  if (!host.ok) {
    throw createApiError('forbidden', {
      message: `The Host header does not name this server, which is ${hostname}.`,
      hint: 'If a reverse proxy changes the header, let it pass on the one it received.',
    });
  }
  const origin = validateOriginHeader(request.headers.get('origin'), [
    hostname,
    ...localhostAllowedOrigins(),
  ]);
  if (!origin.ok) {
    throw createApiError('forbidden', {
      message: 'Pages of other origins cannot use this endpoint.',
      hint: `They can use the JSON API: ${site.url}/docs/api`,
    });
  }
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
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw createApiError('bad_request', {
      message: 'The body is not valid JSON.',
      hint: 'Send one JSON-RPC message, in UTF-8.',
      cause,
    });
  }
}
