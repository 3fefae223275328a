/**
 * Request headers of Next's own client, by which a page's payload is chosen: the `Vary` of every page
 * names them, so a cache of pages has to know them too.
 */
export const routerHeaders = [
  'rsc',
  'next-router-state-tree',
  'next-router-prefetch',
  'next-router-segment-prefetch',
  'next-url',
] as const;
