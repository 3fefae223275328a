import { useCallback } from 'react';
import type { SearchNotes } from '#lib/events/view/search-notes.ts';
import { useLiveData } from '../_components/use-live-data.tsx';
import type { LiveEvents } from './load-directory.ts';

type LiveOptions = Readonly<{
  /** The query string of the list, with its `?`, or empty. */
  search: string;
  /** The same of the list that the server rendered. */
  rendered: string;
  /** The time zone of the server's day. */
  timeZone: string;
  isOn: boolean;
}>;

/**
 * Events from the API, loaded when filters change, when the tab gets the focus, and once a minute.
 * The previous list stays until the next one has loaded.
 */
export function useLiveEvents({ search, rendered, timeZone, isOn }: LiveOptions) {
  const load = useCallback(
    async (url: string) => (await import('./load-directory.ts')).loadEvents(url, timeZone),
    [timeZone],
  );
  return useLiveData<LiveEvents>({
    url: isOn ? `/api/v1/events${search}` : null,
    load,
    isNeeded: search !== rendered,
  });
}

type SearchNotesOptions = Readonly<{
  isOn: boolean;
  /** What the page was rendered with. */
  rendered: Readonly<{ search: string; notes: SearchNotes }>;
}>;

/** What the server says about filters. Until it has, chips of another search are no longer true. */
export function useSearchNotes(search: string, { isOn, rendered }: SearchNotesOptions) {
  const isRendered = search === rendered.search;
  // Those of a page that stays open are loaded anew, too: the days that events are on pass.
  const { data, loader } = useLiveData({
    url: isOn && search !== '' ? `/search-notes${search}` : null,
    load: loadNotes,
    isNeeded: !isRendered,
  });
  const isOfSearch = data?.search === search;
  const notes = isOfSearch ? data.notes : isRendered ? rendered.notes : noNotes;
  return { notes, loader };
}

async function loadNotes(url: string) {
  return (await import('./load-directory.ts')).loadNotes(url);
}

const noNotes: SearchNotes = {
  chips: [],
  periodStart: null,
  seen: {},
  scores: {},
  nearCity: null,
  near: null,
};
