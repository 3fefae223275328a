/** In US dollars: per token, or per request, picture or search. */
export type FlatPrices = Readonly<{
  /** A token of the prompt that no cache had. */
  input: number;
  output: number;
  /** A token of the prompt from the upstream's cache, and one that was written into it, for minutes or for an hour. */
  cacheRead: number;
  cacheWrite: number;
  cacheWriteHour: number;
  /** A token of sound in the prompt, one of it from the cache, and one of a picture. */
  audio: number;
  audioCacheRead: number;
  imageToken: number;
  /** Of the output: a token of hidden reasoning, of sound, and of a picture. */
  reasoning: number;
  audioOutput: number;
  imageOutput: number;
  request: number;
  image: number;
  webSearch: number;
}>;

/** What a model costs. */
export type Prices = FlatPrices &
  Readonly<{
    /**
     * What all of a request costs whose prompt is longer than this, from the lowest bound on:
     * https://ai.google.dev/gemini-api/docs/pricing.
     */
    above?: readonly LongPrices[];
  }>;

type LongPrices = Readonly<{ promptTokens: number; prices: FlatPrices }>;

/** Prices beside those of input and output; those that are unknown follow from these. */
export type KindPrices = Readonly<{
  [kind in Exclude<keyof FlatPrices, 'input' | 'output'>]?: FlatPrices[kind] | undefined;
}>;

/** Of a request with such a prompt. */
export function toFlatPrices(prices: Prices, promptTokens: number): FlatPrices {
  const reached = prices.above?.findLast((long) => promptTokens > long.promptTokens);
  return reached?.prices ?? prices;
}

/** @param long in any order */
export function withLongPrices(flat: FlatPrices, long: readonly LongPrices[]): Prices {
  if (long.length === 0) return flat;
  return { ...flat, above: long.toSorted((a, b) => a.promptTokens - b.promptTokens) };
}

/** Completes the prices that are known: of input and output at least. */
export function toPrices(known: Pick<FlatPrices, 'input' | 'output'> & KindPrices): FlatPrices {
  const { input, output, cacheRead, cacheWrite, audio = input } = known;
  return {
    input,
    output,
    cacheRead: cacheRead ?? input,
    // What Anthropic charges, relative to its input price.
    cacheWrite: cacheWrite ?? input * 1.25,
    cacheWriteHour: known.cacheWriteHour ?? Math.max(input * 2, cacheWrite ?? 0),
    audio,
    audioCacheRead: known.audioCacheRead ?? cacheRead ?? audio,
    imageToken: known.imageToken ?? input,
    reasoning: known.reasoning ?? output,
    audioOutput: known.audioOutput ?? output,
    imageOutput: known.imageOutput ?? output,
    request: known.request ?? 0,
    image: known.image ?? 0,
    webSearch: known.webSearch ?? 0,
  };
}

/** The prices of a model as an operator sets them, US dollars. */
type OperatorPrices = TokenPrices &
  Readonly<{
    perRequest: number;
    /** Those of requests whose prompt is longer. */
    above?: (TokenPrices & Readonly<{ promptTokens: number }>) | undefined;
  }>;

type TokenPrices = Readonly<{
  inputPerMillion: number;
  outputPerMillion: number;
  cacheReadPerMillion?: number | undefined;
  cacheWritePerMillion?: number | undefined;
  cacheWriteHourPerMillion?: number | undefined;
  audioPerMillion?: number | undefined;
  audioCacheReadPerMillion?: number | undefined;
  imagePerMillion?: number | undefined;
  audioOutputPerMillion?: number | undefined;
  imageOutputPerMillion?: number | undefined;
}>;

/** The prices that an operator has set, with those that the upstream lists for what the operator leaves out. */
export function toOperatorPrices(operator: OperatorPrices, listed: KindPrices): Prices {
  const { above, perRequest: request, ...rest } = operator;
  const flat = toTokenPrices(rest, { ...listed, request });
  if (above === undefined) return flat;
  const { promptTokens, ...long } = above;
  // A list has no prices for long prompts of tokens of other kinds.
  const { image, webSearch } = flat;
  const prices = toTokenPrices(long, { request, image, webSearch });
  return withLongPrices(flat, [{ promptTokens, prices }]);
}

function toTokenPrices(prices: TokenPrices, listed: KindPrices): FlatPrices {
  const { inputPerMillion, outputPerMillion } = prices;
  const ofToken = (perMillion: number | undefined) =>
    perMillion === undefined ? undefined : perMillion / 1_000_000;
  return toPrices({
    ...listed,
    input: inputPerMillion / 1_000_000,
    output: outputPerMillion / 1_000_000,
    cacheRead: ofToken(prices.cacheReadPerMillion) ?? listed.cacheRead,
    cacheWrite: ofToken(prices.cacheWritePerMillion) ?? listed.cacheWrite,
    cacheWriteHour:
      ofToken(prices.cacheWriteHourPerMillion) ??
      (prices.cacheWritePerMillion === undefined ? listed.cacheWriteHour : undefined),
    audio: ofToken(prices.audioPerMillion) ?? listed.audio,
    audioCacheRead: ofToken(prices.audioCacheReadPerMillion) ?? listed.audioCacheRead,
    imageToken: ofToken(prices.imagePerMillion) ?? listed.imageToken,
    audioOutput: ofToken(prices.audioOutputPerMillion) ?? listed.audioOutput,
    imageOutput: ofToken(prices.imageOutputPerMillion) ?? listed.imageOutput,
  });
}

/** The highest price of each kind: what a request may cost that any of several models may serve. */
export function toDearest([first, ...others]: readonly [Prices, ...Prices[]]): Prices {
  if (others.length === 0) return first;
  const all = [first, ...others];
  const bounds = new Set(
    all.flatMap(({ above = [] }) => above.map(({ promptTokens }) => promptTokens)),
  );
  const long = [...bounds].map((promptTokens) => ({
    promptTokens,
    prices: toHighest(all.map((prices) => toFlatPrices(prices, promptTokens + 1))),
  }));
  return withLongPrices(toHighest(all), long);
}

function toHighest(all: readonly Prices[]): FlatPrices {
  const [first, ...others] = all.map(({ above: _, ...flat }): FlatPrices => flat);
  if (first === undefined) throw new TypeError('No prices.');
  const highest: Record<keyof FlatPrices, number> = { ...first };
  const kinds = Object.keys(first) as (keyof FlatPrices)[];
  for (const prices of others) {
    for (const kind of kinds) highest[kind] = Math.max(highest[kind], prices[kind]);
  }
  return highest;
}

export function isFree({ above = [], ...flat }: Prices): boolean {
  const isZero = (price: number) => price === 0;
  return [flat, ...above.map(({ prices }) => prices)].every((prices) =>
    Object.values(prices).every(isZero),
  );
}
