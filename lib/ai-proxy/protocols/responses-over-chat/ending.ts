import type { FinishReason } from '../chat/finish-reason.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { ItemStatus } from './output-item.ts';

export type Ending = Readonly<{
  /** Of the response, and of its last item. */
  status: Exclude<ItemStatus, 'in_progress'>;
  incompleteDetails: JsonObject | null;
}>;

/** What the end of a chat means for its response. */
export function toEnding(reason: FinishReason): Ending {
  if (reason === 'length') {
    return { status: 'incomplete', incompleteDetails: { reason: 'max_output_tokens' } };
  }
  if (reason === 'content_filter') {
    return { status: 'incomplete', incompleteDetails: { reason: 'content_filter' } };
  }
  return { status: 'completed', incompleteDetails: null };
}
