import { type Budget, parseBudget } from '#lib/config/budget.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { readBody } from '#lib/http/read-body.ts';
import type { SecurityLog } from '../security-log.ts';
import { isSameToken, type SignedIn } from '../sign-in/sessions.ts';

const bytesMax = 64 * 1024;

/** Rejects what another site has sent. @throws HttpError 403 */
export function requireOwnOrigin(
  request: Request,
  siteUrl: string,
  security: Pick<SecurityLog, 'postRejected'>,
): void {
  const { headers } = request;
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  // A sibling domain is `same-site`, and no more trusted than any other. Without both headers it is no browser.
  const isOwn = origin === null ? site === 'same-origin' : origin === siteUrl;
  if (isOwn && (site === null || site === 'same-origin')) return;
  security.postRejected(request);
  throw createApiError('forbidden', {
    message: 'This was sent from another site.',
    hint: `Open ${siteUrl}/account and try it there.`,
  });
}

/** @throws HttpError 403 if the token is not that of the session. */
export function requireFormToken(token: string | null, { formToken }: SignedIn): void {
  if (token !== null && isSameToken(token, formToken)) return;
  throw createApiError('forbidden', {
    message: 'This page is older than your sign-in.',
    hint: 'Go back, reload the page, and try again.',
  });
}

/** The budget that a form sets: null for none of its own, undefined if it cannot be read. */
export function readBudget(form: URLSearchParams): Budget | null | undefined {
  const text = (form.get('budget') ?? '').trim();
  if (text === '') return null;
  try {
    return parseBudget(text);
  } catch {
    return undefined;
  }
}

/** Reads a form of the account pages. @throws HttpError 400, 413 or 415 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw createApiError('unsupported_media_type', {
      message: 'The body must be a form.',
      hint: 'Send it as application/x-www-form-urlencoded.',
    });
  }
  const text = Buffer.from(await readBody(request, bytesMax)).toString();
  // PostgreSQL has no text with one.
  if (/%00|\0/.test(text)) {
    throw createApiError('bad_request', { message: 'The form contains a NUL character.' });
  }
  return new URLSearchParams(text);
}
