import type { DirectoryEvent } from './directory-view.ts';

/** What to look at instead where nothing matches. */
export type NearEvents = Readonly<{ title: string; events: readonly DirectoryEvent[] }>;

export const nearMax = 3;
