/** What a model costs, in US dollars: per token, or per request, picture or search. */
export type Prices = Readonly<{
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

/** Prices beside those of input and output; those that are unknown follow from these. */
export type KindPrices = Readonly<{
  [kind in Exclude<keyof Prices, 'input' | 'output'>]?: Prices[kind] | undefined;
}>;

/** Completes the prices that are known: of input and output at least. */
export function toPrices(known: Pick<Prices, 'input' | 'output'> & KindPrices): Prices {
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
export type OperatorPrices = Readonly<{
  inputPerMillion: number;
  outputPerMillion: number;
  perRequest: number;
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
export function toOperatorPrices(prices: OperatorPrices, listed: KindPrices): Prices {
  const { inputPerMillion, outputPerMillion, perRequest } = prices;
  const ofToken = (perMillion: number | undefined) =>
    perMillion === undefined ? undefined : perMillion / 1_000_000;
  return toPrices({
    ...listed,
    input: inputPerMillion / 1_000_000,
    output: outputPerMillion / 1_000_000,
    request: perRequest,
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
  const dearest: Record<keyof Prices, number> = { ...first };
  const kinds = Object.keys(first) as (keyof Prices)[];
  for (const prices of others) {
    for (const kind of kinds) dearest[kind] = Math.max(dearest[kind], prices[kind]);
  }
  return dearest;
}

export function isFree(prices: Prices): boolean {
  return Object.values(prices).every((price) => price === 0);
}
