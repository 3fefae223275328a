import { setTimeout as delay } from 'node:timers/promises';

/** Requests a page and its pictures once: later visitors do not wait for rendering and encoding. */
export async function warmUpPage(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const html = await (await fetch(url, { headers })).text();
  const sources = new Set(html.match(/\/media\/att\w+\?w=\d+(?= |")/g));
  for (const source of sources) {
    const response = await fetch(new URL(source, url), { headers: { Accept: 'image/avif,*/*' } });
    await response.arrayBuffer();
  }
  // With its pictures known, the page may be rendered anew.
  await (await fetch(url, { headers: { ...headers, 'Accept-Encoding': 'br' } })).arrayBuffer();
  await delay(1_000);
}
