import { createResponse } from '#lib/http/response.ts';

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
