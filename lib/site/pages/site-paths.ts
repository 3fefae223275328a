import { docsPaths } from '#lib/representations/docs/pages.ts';

/** All pages except those of events. */
export const sitePaths: readonly string[] = [
  '/',
  '/calendar',
  '/subscribe',
  ...docsPaths,
  '/models',
];
