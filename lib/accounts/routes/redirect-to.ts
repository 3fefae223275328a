import { createResponse } from '#lib/http/response.ts';
import type { ProblemCode } from './problems.ts';

/** More does not fit into the headers of a response that nginx takes. */
const locationLengthMax = 3_000;

/** Sends the browser on with GET, as after a form (RFC 9110 §15.4.4). Of what was typed, what is too long is left out. */
export function redirectTo(location: string, cookies: readonly string[] = []): Response {
  const response = createResponse({
    status: 303,
    headers: [
      ['Location', location.startsWith('/') ? toShortPath(location) : location],
      ['Cache-Control', 'private, no-store'],
    ],
    body: null,
  });
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}

function toShortPath(location: string): string {
  const [path = '', search = ''] = location.split('?');
  const parameters = [...new URLSearchParams(search)];
  let short = location;
  while (short.length > locationLengthMax && parameters.length > 1) {
    parameters.pop();
    short = `${path}?${new URLSearchParams(parameters)}`;
  }
  return short;
}

/** With what it shows, as URLSearchParams write it. */
const returnPage =
  /^\/(?:account\/(?:requests|usage)|admin(?:\/[\w-]{1,100}){0,2})(?:\?[\w.*%&=+-]{0,1000})?$/;

/** Where a sign-in or a form leads back to: to the account, its lists, or an admin page; never to another site. */
export function toReturnPath(text: unknown): string {
  return typeof text === 'string' && returnPage.test(text) ? text : '/account';
}

/** A page with what became of its form, in place of what became of an earlier one. */
export function toOutcomePath(page: string, outcome: Readonly<Record<string, string>>): string {
  const [path = '', search = ''] = page.split('?');
  const query = new URLSearchParams(search);
  for (const name of ['done', 'problem', 'key']) query.delete(name);
  for (const [name, value] of Object.entries(outcome)) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** What the page of a form says after it had to be left for a sign-in. */
export const sendAgain = 'send-again' satisfies ProblemCode;

/** Sends the browser to sign in once more, and then back to the page of the form that it has sent. */
export function redirectToSignInAgain({ headers }: Request): Response {
  const page = URL.parse(headers.get('referer') ?? '');
  const path = toReturnPath(page && toOutcomePath(page.pathname + page.search, {}));
  const query = new URLSearchParams({ again: '1', to: path });
  return redirectTo(`/sign-in?${query}`);
}
