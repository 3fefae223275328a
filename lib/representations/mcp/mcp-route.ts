import { createMcpHandler } from '@modelcontextprotocol/server';
import type { RouteHandler } from '#lib/http/api-route.ts';
import { corsHeaders, preflightHeaders } from '#lib/http/cors.ts';
import { catchErrors, type ErrorResponder } from '#lib/http/errors/catch-errors.ts';
import { createApiError, toHttpError } from '#lib/http/errors/errors.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import { commonSecurityHeaders } from '#lib/http/security-headers.ts';
import { checkOrigin } from './check-origin.ts';
import { createMcpServer, type McpParts } from './mcp-server.ts';
import { readMessage } from './read-message.ts';

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
