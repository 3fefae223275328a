import {
  type Capability,
  capabilities,
  type ListedModel,
} from '#lib/representations/listed-models.ts';

const modelOrders = ['name', 'newest', 'price', 'context'] as const;
type ModelOrder = (typeof modelOrders)[number];

/** What a visitor looks for among the models. */
export type ModelFilter = Readonly<{
  search: string;
  /** Tokens; 0: any. */
  contextMin: number;
  /** US dollars for a million input tokens; null: any. */
  priceMax: number | null;
  capabilities: readonly Capability[];
  isFree: boolean;
  order: ModelOrder;
  /** Ids of models that are shown side by side. */
  compared: readonly string[];
}>;

export const noFilter: ModelFilter = {
  search: '',
  contextMin: 0,
  priceMax: null,
  capabilities: [],
  isFree: false,
  order: 'name',
  compared: [],
};

export const contextSteps = [32_000, 128_000, 200_000, 1_000_000] as const;
export const priceSteps = [0.25, 1, 5] as const;

/** The models that match, in order. One whose price or context is unknown matches no limit, and is last. */
export function selectModels(models: readonly ListedModel[], filter: ModelFilter): ListedModel[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  return models
    .filter((model) => matchesWords(model, words) && isWithin(model, filter))
    .sort(comparisons[filter.order]);
}

/** Enough for a long chat. */
const capableContextMin = 32_000;

/** The model that a chat starts with: the cheapest with a long context and tools, or else the first. */
export function findFirstModel(models: readonly ListedModel[]): ListedModel | undefined {
  const isCapable = ({ contextTokens, capabilities }: ListedModel) =>
    (contextTokens ?? 0) >= capableContextMin && capabilities.includes('tools');
  const toCost = (model: ListedModel) => toRank(toConversationPrice(model));
  const [cheapest] = models.filter(isCapable).sort((a, b) => toCost(a) - toCost(b));
  return cheapest ?? models[0];
}

/** How many models fit side by side. */
export const comparedMax = 3;

/** US dollars for 10,000 input and 1,000 output tokens; null if a price is unknown. */
export function toConversationPrice({ priceIn, priceOut }: ListedModel): number | null {
  return priceIn === null || priceOut === null ? null : (10 * priceIn + priceOut) / 1000;
}

/** With a model more or less: where there are too many, the first one goes. */
export function toggleCompared(compared: readonly string[], id: string): readonly string[] {
  if (compared.includes(id)) return compared.filter((each) => each !== id);
  return [...compared, id].slice(-comparedMax);
}

export function isFreeModel({ priceIn, priceOut }: ListedModel): boolean {
  return priceIn === 0 && (priceOut ?? 0) === 0;
}

function matchesWords({ id, name, owner }: ListedModel, words: readonly string[]): boolean {
  const text = `${id} ${name ?? ''} ${owner ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function isWithin(model: ListedModel, filter: ModelFilter): boolean {
  const { contextMin, priceMax } = filter;
  if (contextMin > 0 && (model.contextTokens ?? 0) < contextMin) return false;
  if (priceMax !== null && (model.priceIn ?? Number.POSITIVE_INFINITY) > priceMax) return false;
  if (filter.isFree && !isFreeModel(model)) return false;
  return filter.capabilities.every((capability) => model.capabilities.includes(capability));
}

type Compare = (a: ListedModel, b: ListedModel) => number;

const byId: Compare = (a, b) => (a.id < b.id ? -1 : 1);

const comparisons: Readonly<Record<ModelOrder, Compare>> = {
  name: byId,
  newest: (a, b) => b.created - a.created || byId(a, b),
  price: (a, b) => toRank(a.priceIn) - toRank(b.priceIn) || byId(a, b),
  context: (a, b) => (b.contextTokens ?? 0) - (a.contextTokens ?? 0) || byId(a, b),
};

// Finite, since a difference of infinities is not a number.
function toRank(price: number | null): number {
  return price ?? Number.MAX_SAFE_INTEGER;
}

const searchLengthMax = 100;
const idLengthMax = 200;

/** The filters in the query of `/models`. Values that the page does not offer are ignored. */
export function parseModelFilter(params: URLSearchParams): ModelFilter {
  const get = (name: string) => params.get(name) ?? '';
  const can = params.getAll('can').flatMap((value) => value.split(','));
  return {
    search: get('q').trim().slice(0, searchLengthMax),
    contextMin: contextSteps.find((step) => String(step) === get('context')) ?? 0,
    priceMax: priceSteps.find((step) => String(step) === get('price')) ?? null,
    capabilities: capabilities.filter((capability) => can.includes(capability)),
    isFree: get('free') === '1',
    order: modelOrders.find((order) => order === get('sort')) ?? noFilter.order,
    compared: [...new Set(params.getAll('compare'))]
      .filter((id) => id !== '' && id.length <= idLengthMax)
      .slice(0, comparedMax),
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
  for (const id of filter.compared) search.append('compare', id);
  const text = search.toString().replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}
