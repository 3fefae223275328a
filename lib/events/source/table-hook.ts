import { createHash, timingSafeEqual } from 'node:crypto';
import { createApiError } from '#lib/http/errors/errors.ts';
import { createTextResponse } from '#lib/http/response.ts';

type HookOptions = Readonly<{
  /** Null: there is no hook. */
  secret: string | null;
  /** Notes the call: the table is read as soon as it may be. */
  markCalled: () => Promise<void>;
}>;

/** Responds to the table's own call, `POST /hooks/table-changed`. */
export type RespondToTableHook = (request: Request) => Promise<Response>;

/** @throws HttpError 404 without a secret in the settings, 401 with another one in the request. */
export function createTableHook({ secret, markCalled }: HookOptions): RespondToTableHook {
  const expected = secret === null ? null : digest(secret);
  return async (request) => {
    if (expected === null) {
      throw createApiError('not_found', {
        message: 'This site does not accept calls from its table.',
        hint: 'Its operator can set TABLE_HOOK_SECRET to allow them.',
      });
    }
    const [, token = ''] =
      /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    if (!timingSafeEqual(digest(token), expected)) {
      throw createApiError('unauthorized', {
        message: 'The secret is missing or wrong.',
        hint: 'Send `Authorization: Bearer` and the value of TABLE_HOOK_SECRET.',
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    }
    await markCalled();
    return createTextResponse(202, 'The table will be read.');
  };
}

// Of equal length, whatever was sent.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
