/** A model for the table; unknown values are null. */
export type ListedModel = Readonly<{
  id: string;
  name: string | null;
  owner: string | null;
  /** The size of its context window. */
  contextTokens: number | null;
  /** US dollars for a million input tokens. */
  priceIn: number | null;
}>;

/** The models of a site, or why there are none. */
export type ModelLists =
  | Readonly<{
      kind: 'listed';
      language: readonly ListedModel[];
      embedding: readonly ListedModel[];
      /** Unix time in ms. */
      readAtMs: number;
    }>
  /** No upstream is configured. */
  | Readonly<{ kind: 'unconfigured' }>
  /** The upstream does not respond. */
  | Readonly<{ kind: 'unreachable' }>;

/** Shown instead of the table. */
export const noModelsMessages = {
  unconfigured: 'This site has no AI models yet. Its operator can connect a service that has some.',
  unreachable: 'The list of models could not be loaded. Try again in a minute.',
} as const;

/**
 * Parses a list of models as OpenAI or an aggregator sends it: each id once, sorted by id. Entries without
 * an id and invalid fields are left out.
 */
export function readModelList(body: unknown): ListedModel[] {
  const models = new Map<string, ListedModel>();
  for (const entry of toList(toObject(body).data)) {
    const model = readModel(toObject(entry));
    if (model !== null && !models.has(model.id)) models.set(model.id, model);
  }
  return [...models.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function readModel(entry: Json): ListedModel | null {
  const id = toText(entry.id);
  if (id === null) return null;
  // Prices are strings, in US dollars a token.
  const price = Number.parseFloat(toText(toObject(entry.pricing).prompt) ?? '');
  const context = entry.context_length;
  return {
    id,
    name: toText(entry.name),
    owner: toText(entry.owned_by) ?? toVendor(id),
    contextTokens: typeof context === 'number' && context > 0 ? context : null,
    priceIn: Number.isFinite(price) && price >= 0 ? price * 1_000_000 : null,
  };
}

/** Adds the details of the same models in an earlier list: OpenAI’s own list has few. */
export function addKnownFacts(
  models: readonly ListedModel[],
  known: readonly ListedModel[],
): ListedModel[] {
  const byId = new Map(known.map((model) => [model.id, model]));
  return models.map((model) => {
    const { name = null, contextTokens = null, priceIn = null } = byId.get(model.id) ?? {};
    return {
      ...model,
      name: model.name ?? name,
      contextTokens: model.contextTokens ?? contextTokens,
      priceIn: model.priceIn ?? priceIn,
    };
  });
}

/** Models whose id, name or owner contains every word. */
export function filterModels(models: readonly ListedModel[], search: string): ListedModel[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter(({ id, name, owner }) => {
    const text = `${id} ${name ?? ''} ${owner ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** `$0.02`, `$15`, `free`. */
export function toPriceInWords(dollars: number): string {
  if (dollars === 0) return 'free';
  const digits = dollars >= 1 ? 2 : 4;
  return `$${Number(dollars.toFixed(digits))}`;
}

// Aggregators write `vendor/model`.
function toVendor(id: string): string | null {
  const slash = id.indexOf('/');
  return slash > 0 ? id.slice(0, slash) : null;
}

type Json = Readonly<Record<string, unknown>>;

function toObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 200) : null;
}
