import useSWR from 'swr';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type FilterTexts, toListSearch, toSearch } from '#lib/events/query/filters.ts';
import { toNearFilters } from '#lib/events/query/near-filters.ts';
import { type NearEvents, nearMax } from '#lib/events/view/directory/near-events.ts';

/** What to look at instead, loaded once nothing matches; until then what the server found. */
export function useNearEvents(
  filters: FilterTexts,
  { isOn, rendered }: Readonly<{ isOn: boolean; rendered: NearEvents | null }>,
): NearEvents | null {
  const { data } = useSWR(isOn ? `near ${toSearch(filters)}` : null, () => loadNear(filters));
  return data ?? rendered;
}

async function loadNear(filters: FilterTexts): Promise<NearEvents | null> {
  for (const { title, filters: near } of toNearFilters(filters)) {
    const url = `/api/v1/events${toListSearch(near)}&order=asc&limit=${nearMax}`;
    const response = await fetch(url);
    if (!response.ok) return null;
    const { data }: { data: MarqueeEvent[] } = await response.json();
    if (data.length > 0) return { title, events: data };
  }
  return null;
}
