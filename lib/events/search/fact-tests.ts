import type { EventDraft } from '../model/schema.ts';
import type { FactFilter } from '../query/fact-filters.ts';
import { isForKids } from '../words/ages.ts';
import { isFree } from '../words/price.ts';

type Facts = Pick<EventDraft, 'price' | 'audience' | 'placesLeft'>;

/** Whether an event passes a filter by its facts. */
export const factTests: Readonly<Record<FactFilter, (event: Facts) => boolean>> = {
  price: ({ price }) => isFree(price),
  audience: ({ audience }) => isForKids(audience),
  hasPlaces: ({ placesLeft }) => placesLeft !== null && placesLeft > 0,
};
