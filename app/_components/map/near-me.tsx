'use client';

import { useState } from 'react';
import { roundPosition } from '#lib/events/model/position.ts';
import { formatQuery } from '#lib/events/query/events-query.ts';
import { announce } from '../announcement.tsx';
import { Icon } from '../icon.tsx';
import { ScriptButton } from '../script-button.tsx';

type NearMeProps = Readonly<{
  className: string;
  /** Called with the position; by default the directory opens with it. */
  onFound?: (near: string) => void;
}>;

const timeoutMs = 15_000;
/** The browser may know the position from before. */
const ageMaxMs = 600_000;

/** Asks the browser where the visitor is, after a click only. No more than a tenth of a degree leaves the browser. */
export function NearMe({ className, onFound = openDirectory }: NearMeProps) {
  const [state, setState] = useState<'idle' | 'asking' | 'failed'>('idle');
  const fail = () => {
    setState('failed');
    announce(words.failed);
  };
  const ask = () => {
    setState('asking');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setState('idle');
        onFound(roundPosition(`${coords.latitude.toFixed(6)},${coords.longitude.toFixed(6)}`));
      },
      fail,
      { timeout: timeoutMs, maximumAge: ageMaxMs },
    );
  };
  const words = {
    idle: 'Near me',
    asking: 'Looking…',
    failed: 'Couldn’t find you. Try again, or type a city',
  };
  return (
    <ScriptButton className={className} onClick={ask} aria-busy={state === 'asking'}>
      <Icon name="place" />
      {words[state]}
    </ScriptButton>
  );
}

function openDirectory(near: string): void {
  location.assign(`/${formatQuery({ near })}`);
}
