import { createResponse, type HeaderFields } from '#lib/http/response.ts';

const texts = {
  500: ['Something went wrong', 'This is our fault, not yours. Please try again in a moment.'],
  503: ['We are very busy right now', 'Please try again in a few seconds.'],
  504: ['This page took too long', 'Please try again in a moment.'],
} as const;

/** A page for when Next cannot render one: it needs no script, style sheet or font. */
export function createErrorPage(status: keyof typeof texts, headers: HeaderFields = []): Response {
  const [title, advice] = texts[status];
  return createResponse({
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'"],
      ...headers,
    ],
    body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
  body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto; padding: 0 1.5rem }
  h1 { font-size: 2rem; line-height: 1.1 }
</style>
<p>${status}</p>
<h1>${title}</h1>
<p>${advice} <a href="">Try again</a></p>
</html>
`,
  });
}
