import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import {
  type DirectoryEvent,
  toDirectoryEvent,
} from '#lib/events/view/directory/directory-event.ts';

/** The fields of an event that the top of its page shows, and follows while it is open. */
export type StageEvent = DirectoryEvent & Pick<MarqueeEvent, 'slackChannel' | 'slackUrl'>;

/** Drops the long texts, which would be sent twice. */
export function toStageEvent(event: MarqueeEvent): StageEvent {
  const { slackChannel, slackUrl } = event;
  return { ...toDirectoryEvent(event), slackChannel, slackUrl };
}
