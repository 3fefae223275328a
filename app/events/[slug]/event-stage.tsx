'use client';

import useSWR from 'swr';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toStateInWords } from '#lib/events/view/event-facts.ts';
import { toPosterProperties, toPosterTheme } from '#lib/representations/theming/poster-theme.ts';
import { RetryNotice } from '../../_components/notices.tsx';
import { Poster } from '../../_components/poster/poster.tsx';
import { readServerDay } from '../../_components/server-day.ts';
import { EventTicket } from './_ticket/event-ticket.tsx';
import type { StageEvent } from './stage-event.ts';

type EventStageProps = Readonly<{
  /** The event and the day of the rendered page. */
  event: StageEvent;
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

const refreshMs = 60_000;
const focusPauseMs = 5_000;

type LiveEvent = Readonly<{
  /** null: it is no longer listed. */
  event: MarqueeEvent | null;
  today: string;
}>;

/** An event from the API, loaded when the tab gets the focus, and once a minute. */
function useLiveEvent(id: string, timeZone: string) {
  return useSWR<LiveEvent, Error>(
    `/api/v1/events/${encodeURIComponent(id)}`,
    (url: string) => loadEvent(url, timeZone),
    {
      // The page was rendered from the same event.
      revalidateOnMount: false,
      refreshInterval: refreshMs,
      focusThrottleInterval: focusPauseMs,
    },
  );
}

// `no-cache` revalidates: mostly a 304.
async function loadEvent(url: string, timeZone: string): Promise<LiveEvent> {
  const response = await fetch(url, { cache: 'no-cache' });
  const today = readServerDay(response.headers, timeZone);
  if (response.status === 404) return { event: null, today };
  if (!response.ok) throw new Error(`Loading the event failed with status ${response.status}.`);
  const { data }: { data: MarqueeEvent } = await response.json();
  return { event: data, today };
}
