'use client';

import { remindersMax } from '#lib/events/view/saved-events.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { useSavedEvents } from '../../../_components/saved/use-saved-events.ts';

/** A button of a form, which sends the ids of the events that this browser has saved and that are not over. */
export function SavedIds() {
  const today = new Date().toISOString().slice(0, 10);
  const ids = useSavedEvents()
    .filter(({ startDate, endDate }) => (endDate ?? startDate) >= today)
    .slice(-remindersMax)
    .map(({ id }) => id);
  if (ids.length === 0) return null;
  return (
    <>
      <input type="hidden" name="id" value={ids.join(',')} />
      <button className="button-quiet" type="submit">
        Use My list of this browser ({formatCountOf(ids.length, 'event')})
      </button>
    </>
  );
}
