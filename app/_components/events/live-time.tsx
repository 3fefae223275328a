'use client';

import { useSyncExternalStore } from 'react';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { isJoinable } from '#lib/events/model/status.ts';
import { type TimedEvent, toCountdown, toYourTime } from '#lib/events/words/clock-words.ts';

type LiveTimeProps = Readonly<{
  event: TimedEvent & Pick<MarqueeEvent, 'state' | 'format' | 'status' | 'inPerson' | 'place'>;
  today: string;
  className: string;
}>;

/** `Doors in 2 hours · your time 12:30`: what only the visitor's clock knows. Empty without scripts. */
export function LiveTime({ event, today, className }: LiveTimeProps) {
  const nowMs = useSyncExternalStore(subscribe, readTime, readNothing);
  if (nowMs === null || event.timeZone === null) return null;
  const { timeZone: visitorZone } = new Intl.DateTimeFormat().resolvedOptions();
  const yourTime = isJoinable(event) ? toYourTime(event, { today, visitorZone }) : null;
  const words = [toCountdown(event, nowMs), yourTime].filter((part) => part !== null);
  if (words.length === 0) return null;
  return (
    <span className={className} lang="en" dir="ltr">
      {words.join('\u00a0· ')}
    </span>
  );
}

/** Words of minutes stay true within one. */
const stepMs = 20_000;

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, stepMs);
  return () => clearInterval(timer);
}

function readTime(): number {
  return Math.floor(Date.now() / stepMs) * stepMs;
}

function readNothing(): null {
  return null;
}
