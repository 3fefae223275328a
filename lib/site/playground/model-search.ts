import { capabilities } from '#lib/representations/listed-models.ts';
import {
  contextSteps,
  type ModelFilter,
  modelOrders,
  noFilter,
  priceSteps,
} from './model-filter.ts';

const searchLengthMax = 100;

/** The filters in the query of `/models`. Values that the page does not offer are ignored. */
export function parseModelFilter(params: URLSearchParams): ModelFilter {
  const get = (name: string) => params.get(name) ?? '';
  const can = params.getAll('can').flatMap((value) => value.split(','));
  return {
    search: get('q').trim().slice(0, searchLengthMax),
    contextMin: contextSteps.find((step) => String(step) === get('context')) ?? 0,
    priceMax: priceSteps.find((step) => String(step) === get('price')) ?? null,
    capabilities: capabilities.filter((one) => can.includes(one)),
    isFree: get('free') === '1',
    order: modelOrders.find((order) => order === get('sort')) ?? noFilter.order,
  };
}

/** Filters as the URL’s query with its `?`, in a fixed order; empty without filters. */
export function toModelSearch(filter: ModelFilter): string {
  const search = new URLSearchParams();
  const set = (name: string, value: string | number | null) => {
    if (value) search.set(name, String(value));
  };
  set('q', filter.search.trim());
  set('context', filter.contextMin);
  set('price', filter.priceMax);
  set('can', filter.capabilities.join(','));
  set('free', filter.isFree ? 1 : 0);
  set('sort', filter.order === noFilter.order ? null : filter.order);
  const text = search.toString().replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}
