'use client';

import { useCallback } from 'react';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toStateInWords } from '#lib/events/view/event-facts.ts';
import { toPosterProperties, toPosterTheme } from '#lib/representations/theming/poster-theme.ts';
import type { Live } from '../../_components/load-live.ts';
import { RetryNotice } from '../../_components/notices.tsx';
import { Poster } from '../../_components/poster/poster.tsx';
import { useLiveData } from '../../_components/use-live-data.tsx';
import { EventTicket, type TicketLinks } from './_ticket/event-ticket.tsx';
import type { StageEvent } from './stage-event.ts';

type EventStageProps = Readonly<{
  /** The event and the day of the rendered page. */
  event: StageEvent;
  today: string;
  /** The time zone of the server's day. */
  timeZone: string;
  links: TicketLinks;
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
  const load = useCallback(
    async (url: string) => {
      const { loadLive } = await import('../../_components/load-live.ts');
      return loadLive<MarqueeEvent>(url, timeZone);
    },
    [timeZone],
  );
  const live = useLiveData<Live<MarqueeEvent>>({
    url: `/api/v1/events/${encodeURIComponent(rendered.id)}`,
    load,
    isNeeded: false,
  });
  const event = live.data?.data ?? rendered;
  const today = live.data?.today ?? renderedDay;
  // As on posters: what is over has the muted colours of the site.
  const theme = event.status === 'ended' ? null : toPosterTheme(event);
  return (
    <>
      {live.loader}
      {live.data?.data === null && (
        <p className="notice notice-wrong" role="status">
          This event is no longer listed.
        </p>
      )}
      {live.error && (
        <RetryNotice onRetry={() => live.retry()}>
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

/** The large poster at the top of an event's page. */
function EventPoster({ event }: Readonly<{ event: StageEvent }>) {
  const state = toStateInWords(event.state);
  return (
    <Poster
      event={event}
      className="event-poster"
      sizes="(width < 46rem) 40rem, 70vw"
      urgency="first"
      when={
        state && (
          <p className="event-state" lang="en" dir="ltr">
            {state}
          </p>
        )
      }
    >
      <h1 className="poster-name">
        <span>{event.name}</span>
      </h1>
    </Poster>
  );
}
