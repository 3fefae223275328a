/**
 * Filters by what cells say in words, and their choices as pages call them. Which one an event passes is found in
 * `source/search-index.ts`.
 */
export const factFilters = {
  price: { free: 'Free', paid: 'Paid' },
  audience: { kids: 'For kids' },
  hasPlaces: { true: 'Places left' },
} as const;

export type FactFilter = keyof typeof factFilters;

export type FactChoice<Name extends FactFilter> = keyof (typeof factFilters)[Name];

export const factFilterNames = Object.keys(factFilters) as FactFilter[];
