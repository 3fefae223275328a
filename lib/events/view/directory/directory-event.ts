import { type FieldIn, listFields, pick } from '../../model/field-lists.ts';
import type { MarqueeEvent } from '../../model/schema.ts';

/** An event as posters and the rows of the directory show it. */
export type DirectoryEvent = Pick<MarqueeEvent, FieldIn<'posters'>>;

const posterFields = listFields('posters');

/** An event without the fields that no poster and no row shows, since the rest is sent with the page. */
export function toDirectoryEvent(event: DirectoryEvent): DirectoryEvent {
  return pick(event, posterFields);
}
