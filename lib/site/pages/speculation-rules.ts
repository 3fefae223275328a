/** Paths that are private or not pages: never prefetched or prerendered. */
const excluded = [
  '/api/*',
  '/proxy/*',
  '/mcp',
  '/.well-known/*',
  '/media/*',
  '/account*',
  '/admin*',
  '/sign-in*',
  '/docs/try*',
  '/embed*',
  '/oembed*',
  '/*.md',
  '/*.ics',
  '/*.txt',
  '/*.xml',
  '/*.json',
];

/**
 * Speculation Rules (https://wicg.github.io/nav-speculation/speculation-rules.html): a page is prerendered when
 * the pointer rests on a link to it. Links elsewhere are never matched.
 */
export function toSpeculationRules({ savesData }: Readonly<{ savesData: boolean }>): string {
  const where = {
    and: [{ href_matches: '/*' }, ...excluded.map((path) => ({ not: { href_matches: path } }))],
  };
  const rule = { where, eagerness: 'moderate' };
  return JSON.stringify(savesData ? {} : { prefetch: [rule], prerender: [rule] });
}
