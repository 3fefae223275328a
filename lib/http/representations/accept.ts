/** Content negotiation by q-values (RFC 9110 §12.5.1). The order of a list means nothing. */

type MediaRange = Readonly<{ range: string; q: number }>;

const everything: readonly MediaRange[] = [{ range: '*/*', q: 1 }];
// A quoted parameter may hold commas.
const listElement = /(?:[^,"]|"(?:[^"\\]|\\.?)*"?)+/g;
const remembered = new Map<string, readonly MediaRange[]>();
const rememberedMax = 500;

/**
 * The quality of a media type in an Accept header, 0 to 1: the most specific range that matches decides.
 * Parameters other than q are left out of the comparison, so `text/markdown;variant=GFM` names `text/markdown`.
 */
export function acceptQuality(accept: string | null, mediaType: string): number {
  const ranges = toMediaRanges(accept);
  const family = `${mediaType.slice(0, mediaType.indexOf('/'))}/*`;
  for (const range of [mediaType, family, '*/*']) {
    const matching = ranges.filter((candidate) => candidate.range === range);
    if (matching.length > 0) return Math.max(...matching.map((candidate) => candidate.q));
  }
  return 0;
}

/** Whether an Accept header names a media type itself, not by a wildcard. */
export function namesMediaType(accept: string | null, mediaType: string): boolean {
  return toMediaRanges(accept).some((range) => range.range === mediaType);
}

// Browsers and SDKs send few different headers: each is parsed once.
function toMediaRanges(accept: string | null): readonly MediaRange[] {
  if (accept === null || accept.trim() === '') return everything;
  const known = remembered.get(accept);
  if (known !== undefined) return known;
  const ranges = parseMediaRanges(accept);
  if (remembered.size >= rememberedMax) remembered.clear();
  if (accept.length <= 1000) remembered.set(accept, ranges);
  return ranges;
}

function parseMediaRanges(accept: string): MediaRange[] {
  const ranges: MediaRange[] = [];
  for (const element of accept.match(listElement) ?? []) {
    const [range = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
    if (range === '') continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    // Java's URLConnection sends a bare `*`.
    ranges.push({
      range: range === '*' ? '*/*' : range,
      q: parseWeight(weight),
    });
  }
  return ranges;
}

// A malformed weight counts as 1: the client did name the type.
function parseWeight(parameter: string | undefined): number {
  const q = parameter === undefined ? 1 : Number.parseFloat(parameter.slice(2));
  return Number.isFinite(q) ? Math.min(Math.max(q, 0), 1) : 1;
}
