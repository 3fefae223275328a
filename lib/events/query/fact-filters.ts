/**
 * Filters by what cells say in words: one value each. `phrases` are what a search calls them; how an event is tested
 * stands in `search/search-index.ts`.
 */
export const factFilters = {
  price: {
    choice: 'free',
    words: 'Free',
    description:
      'Only events that are free: whose price says so, or is 0. An event with an unknown price is not.',
    phrases: ['free', 'for free', 'free of charge', 'free entry', 'gratis', 'kostenlos', 'gratuit'],
  },
  audience: {
    choice: 'kids',
    words: 'For kids',
    description:
      'Only events for children: whose ages include some up to 12 years. An event of unknown ages is not.',
    phrases: ['for kids', 'kids', 'for children', 'children', 'child friendly', 'for families'],
  },
  hasPlaces: {
    choice: 'true',
    words: 'Places left',
    description: 'Only events that say how many places are left, and have some.',
    phrases: [
      'with places left',
      'places left',
      'with places',
      'spots left',
      'not full',
      'not sold out',
    ],
  },
} as const;

export type FactFilter = keyof typeof factFilters;

export const factFilterNames = Object.keys(factFilters) as FactFilter[];
