import { createResponse } from '#lib/http/response.ts';
import type { ProblemCode } from './problems.ts';

/** Sends the browser on with GET, as after a form (RFC 9110 §15.4.4). */
export function redirectTo(location: string, cookies: readonly string[] = []): Response {
  const response = createResponse({
    status: 303,
    headers: [
      ['Location', location],
      ['Cache-Control', 'private, no-store'],
    ],
    body: null,
  });
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}

/** Where a sign-in leads: to the account or an admin page; never to another site. */
export function toReturnPath(text: unknown): string {
  const isAdminPage = typeof text === 'string' && /^\/admin(?:\/[\w-]{1,100}){0,2}$/.test(text);
  return isAdminPage ? text : '/account';
}

/** What the page of a form says after it had to be left for a sign-in. */
export const sendAgain = 'send-again' satisfies ProblemCode;

/** Sends the browser to sign in once more, and then back to the page of the form that it has sent. */
export function redirectToSignInAgain({ headers }: Request): Response {
  const page = URL.parse(headers.get('referer') ?? '')?.pathname;
  const query = new URLSearchParams({ again: '1', to: toReturnPath(page) });
  return redirectTo(`/sign-in?${query}`);
}
