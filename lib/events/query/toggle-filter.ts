import type { FilterName, FilterTexts } from './filters.ts';

/** Filters that can have several values. */
const many: ReadonlySet<FilterName> = new Set(['projectType']);
/** Ways to choose days, which exclude each other. */
const days: ReadonlySet<FilterName> = new Set(['when', 'from', 'to']);

/** Whether a filter has a value, alone or among others. */
export function hasFilter(filters: FilterTexts, name: FilterName, value: string): boolean {
  return filters[name]?.split(',').includes(value) ?? false;
}

/** Filters with one value turned on, or off if it was on. */
export function toggleFilter(filters: FilterTexts, name: FilterName, value: string): FilterTexts {
  const values = filters[name]?.split(',') ?? [];
  const isOn = values.includes(value);
  const others = many.has(name) ? values.filter((one) => one !== value) : [];
  const next = isOn ? others : [...others, value];
  const rest = days.has(name) ? withoutFilters(filters, ...days) : withoutFilters(filters, name);
  // Sorted, so that equal filters give equal URLs.
  return next.length === 0 ? rest : { ...rest, [name]: next.sort().join(',') };
}

/** Filters without the named ones. */
export function withoutFilters(filters: FilterTexts, ...names: FilterName[]): FilterTexts {
  return Object.fromEntries(
    Object.entries(filters).filter(([name]) => !names.some((one) => one === name)),
  );
}
