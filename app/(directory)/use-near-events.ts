import useSWR from 'swr';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type FilterTexts, toListSearch, toSearch } from '#lib/events/query/filters.ts';
import { toNearFilters } from '#lib/events/query/near-filters.ts';
import {
  findMisspelled,
  type NearEvents,
  nearMax,
} from '#lib/events/view/directory/near-events.ts';

/** Suggestions, loaded once nothing matches; until then those that the server found. */
export function useNearEvents(
  filters: FilterTexts,
  { isOn, rendered }: Readonly<{ isOn: boolean; rendered: NearEvents | null }>,
): NearEvents | null {
  const { data } = useSWR(isOn ? `near ${toSearch(filters)}` : null, () => loadNear(filters));
  return data ?? rendered;
}

async function loadNear(filters: FilterTexts): Promise<NearEvents | null> {
  if (filters.q) {
    // The whole list is mostly in the browser's cache, and short where filters apply in the tab.
    const spelled = findMisspelled(await loadList(''), filters.q);
    if (spelled) return spelled;
  }
  for (const { title, filters: near } of toNearFilters(filters)) {
    const events = await loadList(`${toListSearch(near)}&order=asc&limit=${nearMax}`);
    if (events.length > 0) return { title, events };
  }
  return null;
}

async function loadList(search: string): Promise<readonly MarqueeEvent[]> {
  const response = await fetch(`/api/v1/events${search}`);
  if (!response.ok) throw new Error(`Loading events failed with status ${response.status}.`);
  return (await response.json()).data;
}
