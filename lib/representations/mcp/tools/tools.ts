import { getEvent, listEvents } from './list-events.ts';
import { fetchEvent, search } from './search.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order of `tools/list`. */
export const tools: readonly Tool[] = [search, fetchEvent, listEvents, getEvent];
