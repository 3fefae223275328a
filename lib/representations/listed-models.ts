import { type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';

export const capabilities = ['vision', 'tools', 'reasoning'] as const;
export type Capability = (typeof capabilities)[number];

export const capabilityNames: Readonly<Record<Capability, string>> = {
  vision: 'Vision',
  tools: 'Tools',
  reasoning: 'Reasoning',
};

/** A model for the list; unknown values are null. */
export type ListedModel = Readonly<{
  id: string;
  name: string | null;
  owner: string | null;
  description: string | null;
  /** The size of its context window. */
  contextTokens: number | null;
  /** US dollars for a million input tokens. */
  priceIn: number | null;
  /** US dollars for a million output tokens. */
  priceOut: number | null;
  /** What its provider says it can do, besides text. */
  capabilities: readonly Capability[];
  /** Unix time in seconds; 0 if unknown. */
  created: number;
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

/** Shown instead of the list. */
export const noModelsMessages = {
  unconfigured: 'This site has no AI models yet. Its operator can connect a service that has some.',
  unreachable: 'The list of models could not be loaded. Try again in a minute.',
} as const;

const descriptionLengthMax = 220;

/**
 * Parses a list of models as OpenAI or an aggregator sends it: each id once, sorted by id. Entries without
 * an id and invalid fields are left out.
 */
export function readModelList(body: unknown): ListedModel[] {
  const models = new Map<string, ListedModel>();
  for (const entry of toJsonArray(toJsonObject(body).data)) {
    const model = readModel(toJsonObject(entry));
    if (model !== null && !models.has(model.id)) models.set(model.id, model);
  }
  return [...models.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Parses a list of embedding models, which have no output to pay for. */
export function readEmbeddingList(body: unknown): ListedModel[] {
  return readModelList(body).map((model) => ({ ...model, priceOut: null }));
}

function readModel(entry: JsonObject): ListedModel | null {
  const id = toText(entry.id);
  if (id === null) return null;
  const { prompt, completion } = toJsonObject(entry.pricing);
  const { context_length: context, created } = entry;
  return {
    id,
    name: toText(entry.name),
    owner: toText(entry.owned_by) ?? toVendor(id),
    description: toDescription(entry.description),
    contextTokens: typeof context === 'number' && context > 0 ? context : null,
    priceIn: toPrice(prompt),
    priceOut: toPrice(completion),
    capabilities: toCapabilities(entry),
    created: typeof created === 'number' && created > 0 ? created : 0,
  };
}

/** Adds the details of the same models in an earlier list: OpenAI’s own list has few. */
export function addKnownFacts(
  models: readonly ListedModel[],
  known: readonly ListedModel[],
): ListedModel[] {
  const byId = new Map(known.map((model) => [model.id, model]));
  return models.map((model) => {
    const before = byId.get(model.id);
    if (before === undefined) return model;
    return {
      ...model,
      name: model.name ?? before.name,
      description: model.description ?? before.description,
      contextTokens: model.contextTokens ?? before.contextTokens,
      priceIn: model.priceIn ?? before.priceIn,
      priceOut: model.priceOut ?? before.priceOut,
      capabilities: model.capabilities.length > 0 ? model.capabilities : before.capabilities,
      created: model.created || before.created,
    };
  });
}

/** Input and output: `$2.50 / $10.00`, `Free`; null if unknown. */
export function toPricesInWords({ priceIn, priceOut }: ListedModel): string | null {
  if (priceIn === null) return null;
  if (priceIn === 0 && (priceOut ?? 0) === 0) return 'Free';
  return priceOut === null
    ? toPriceInWords(priceIn)
    : `${toPriceInWords(priceIn)} / ${toPriceInWords(priceOut)}`;
}

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 4,
});

/** `$0.02`, `$15.00`. */
export function toPriceInWords(price: number): string {
  return dollars.format(price);
}

const smallDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
});

/** What a reply costs: `$0.00042`, `$1.30`. */
export function formatDollars(amount: number): string {
  return amount < 0.01 ? smallDollars.format(amount) : dollars.format(amount);
}

const tokens = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** `32.8K`, `1M`. */
export function toTokensInWords(count: number): string {
  return tokens.format(count);
}

// Aggregators write prices as strings, in US dollars a token; a negative one is unknown.
function toPrice(value: unknown): number | null {
  const price = Number.parseFloat(toText(value) ?? '');
  return Number.isFinite(price) && price >= 0 ? price * 1_000_000 : null;
}

function toCapabilities({ architecture, supported_parameters }: JsonObject): Capability[] {
  const inputs = toJsonArray(toJsonObject(architecture).input_modalities);
  const parameters = toJsonArray(supported_parameters);
  const known: Readonly<Record<Capability, boolean>> = {
    vision: inputs.includes('image'),
    tools: parameters.includes('tools'),
    reasoning: parameters.includes('reasoning') || parameters.includes('include_reasoning'),
  };
  return capabilities.filter((capability) => known[capability]);
}

function toDescription(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replace(/\s+/g, ' ').trim();
  if (text.length <= descriptionLengthMax) return text || null;
  return `${text.slice(0, descriptionLengthMax).replace(/\s+\S*$/, '')} …`;
}

// Aggregators write `vendor/model`.
function toVendor(id: string): string | null {
  const slash = id.indexOf('/');
  return slash > 0 ? id.slice(0, slash) : null;
}

function toText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 200) : null;
}
