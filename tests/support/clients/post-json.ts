/** Posts JSON with an API key; `init` may replace the body and headers. */
export function postJson(
  url: string,
  key: string,
  body: unknown,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...init.headers,
    },
  });
}
