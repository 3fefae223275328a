import { docsPaths } from '#lib/docs/pages.ts';

/** All pages except those of events. */
export const sitePaths: readonly string[] = [
  '/',
  '/calendar',
  '/subscribe',
  ...docsPaths,
  '/models',
];
