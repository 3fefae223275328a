import { isJsonContentType } from '@modelcontextprotocol/server';
import { createApiError } from '#lib/http/errors/errors.ts';
import { readBody } from '#lib/http/read-body.ts';

const bodyBytesMax = 256 * 1024;
/** Only clients of 2025-03-26 send batches. */
const batchMax = 10;

/**
 * Reads the JSON-RPC message of a request; the SDK validates it.
 * @throws HttpError 415, 413, or 400 for a body that is not JSON.
 */
export async function readMessage(request: Request): Promise<unknown> {
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
