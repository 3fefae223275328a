/** A model as a table shows it; what its list does not tell is null. */
export type ListedModel = Readonly<{
  id: string;
  name: string | null;
  /** Who offers it. */
  owner: string | null;
  /** How many tokens it reads at most. */
  contextTokens: number | null;
  /** US dollars for a million tokens of what it reads. */
  priceIn: number | null;
}>;

/** The models that a site offers, or why there are none to show. */
export type ModelLists =
  | Readonly<{
      kind: 'listed';
      language: readonly ListedModel[];
      embedding: readonly ListedModel[];
      /** Unix time in ms at which they were read. */
      readAtMs: number;
    }>
  /** Nobody has set up a service that has models. */
  | Readonly<{ kind: 'unconfigured' }>
  /** The service does not answer. */
  | Readonly<{ kind: 'unreachable' }>;

/** What people are told where there are no models to show. */
export const noModelsMessages = {
  unconfigured:
    'This site has no AI models behind it yet. Whoever runs it can name a service that has some.',
  unreachable:
    'The service behind this site does not say which models it has. Try again in a minute.',
} as const;

/**
 * Reads a list of models, in OpenAI’s form or that of aggregators: each id once, in their order.
 * An entry without an id is left out, and so is whatever else is not as it should be.
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

/** A newer list, with what an earlier one knew beyond it: OpenAI’s form tells little of a model. */
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

/** Models in whose id, name or owner every one of the words occurs. */
export function filterModels(models: readonly ListedModel[], search: string): ListedModel[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter(({ id, name, owner }) => {
    const text = `${id} ${name ?? ''} ${owner ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** A price as people write it: `$0.02`, `$15`, `free`. */
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
