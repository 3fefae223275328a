import { docsPaths } from '#lib/docs/pages.ts';

/** Every page beside those of events. */
export const sitePaths: readonly string[] = ['/', ...docsPaths, '/models'];
