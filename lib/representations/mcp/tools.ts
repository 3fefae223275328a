import type { Tool } from './tool.ts';
import { listChanges } from './tools/list-changes.ts';
import { listEvents } from './tools/list-events.ts';
import { fetchEvent, getEvent } from './tools/one-event.ts';
import { search } from './tools/search.ts';

/** All tools, in the order of `tools/list`. */
export const tools: readonly Tool[] = [search, fetchEvent, listEvents, getEvent, listChanges];
