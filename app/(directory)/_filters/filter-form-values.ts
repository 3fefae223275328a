import { type FilterName, type FilterTexts, filterNames } from '#lib/events/query/filters.ts';

/** The filters of a form: its fields, and the hidden fields that other controls set. */
export function readForm(form: HTMLFormElement): FilterTexts {
  const values = new FormData(form);
  const filters: Partial<Record<FilterName, string>> = {};
  for (const name of filterNames) {
    const value = String(values.get(name) ?? '').trim();
    if (value !== '') filters[name] = value;
  }
  return filters;
}

/** Fills a form in. Hidden fields follow the state of the page. */
export function writeForm(form: HTMLFormElement, filters: FilterTexts): void {
  for (const name of filterNames) {
    const field = form.elements.namedItem(name);
    const isShown = field instanceof HTMLInputElement && field.type !== 'hidden';
    if (isShown || field instanceof HTMLSelectElement) field.value = filters[name] ?? '';
  }
}
