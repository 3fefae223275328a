'use client';

import { toPosterProperties, toPosterTheme } from '#lib/representations/theming/poster-theme.ts';
import { RetryNotice } from '../../_components/live/retry-notice.tsx';
import { EventTicket } from './_ticket/event-ticket.tsx';
import { EventPoster } from './event-poster.tsx';
import type { StageEvent } from './stage-event.ts';
import { useLiveEvent } from './use-live-event.ts';

type EventStageProps = Readonly<{
  /** The event and the day of the rendered page. */
  event: StageEvent;
  /** What it is about in one line. */
  summary: string | null;
  today: string;
  /** The time zone of the server's day. */
  timeZone: string;
  pageUrl: string;
  slackWorkspaceUrl: string | null;
}>;

/** The top of an event's page: its poster, and a ticket with when, where and how to join. Follows the API. */
export function EventStage({
  event: rendered,
  today: renderedDay,
  timeZone,
  ...rest
}: EventStageProps) {
  const live = useLiveEvent(rendered.id, timeZone);
  const event = live.data?.event ?? rendered;
  const today = live.data?.today ?? renderedDay;
  // As on posters: what is over has the muted colours of the site.
  const theme = event.status === 'ended' ? null : toPosterTheme(event);
  return (
    <>
      {live.data?.event === null && (
        <p className="notice notice-wrong" role="status">
          This event is no longer listed.
        </p>
      )}
      {live.error && (
        <RetryNotice onRetry={() => live.mutate()}>
          Couldn’t refresh. This is the last version we have.
        </RetryNotice>
      )}
      <div
        className="event-stage"
        data-look={theme === null ? 'plain' : 'color'}
        data-status={event.status}
        data-state={event.state}
        style={theme === null ? undefined : toPosterProperties(theme)}
      >
        <EventPoster event={event} />
        <EventTicket event={event} today={today} {...rest} />
      </div>
    </>
  );
}
