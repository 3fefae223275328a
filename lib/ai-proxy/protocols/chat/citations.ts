import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';

/** A source that a reply names. */
export type Citation = Readonly<{
  url: string;
  title: string;
  /** What the source says, if the upstream has quoted it. */
  quote: string;
  /** Where the text cites it, in characters; null: nowhere, or only by its number. */
  place: Readonly<{ start: number; end: number }> | null;
}>;

/** The sources in a delta or message: OpenAI's and OpenRouter's annotations. */
export function readCitations({ annotations }: JsonObject): readonly Citation[] {
  const found = toJsonArray(annotations).map(toJsonObject);
  return found
    .filter(({ type }) => type === 'url_citation')
    .flatMap((annotation) => {
      const source = { ...annotation, ...toJsonObject(annotation.url_citation) };
      return toCitation(source, toPlace(source));
    });
}

const none: readonly Citation[] = [];

/** The sources beside the choices of a reply, which its text cites by number: Perplexity's. */
export function readSources({
  search_results: results,
  citations,
}: JsonObject): readonly Citation[] {
  // Most replies have none, in any of their chunks.
  if (results === undefined && citations === undefined) return none;
  const sources = Array.isArray(results) && results.length > 0 ? results : toJsonArray(citations);
  return sources.flatMap((source) =>
    toCitation(isJsonObject(source) ? source : { url: source }, null),
  );
}

function toCitation({ url, title, content }: JsonObject, place: Citation['place']): Citation[] {
  const address = toText(url);
  if (!/^https?:\/\//i.test(address)) return [];
  return [{ url: address, title: toText(title), quote: toText(content), place }];
}

function toPlace({ start_index: start, end_index: end }: JsonObject): Citation['place'] {
  const isPlace = Number.isSafeInteger(start) && Number.isSafeInteger(end);
  return isPlace ? { start: Number(start), end: Number(end) } : null;
}

/** Where a text cites its sources; one that it only numbers is at its number, else at the end. */
export function findPlaces(
  text: string,
  citations: readonly Citation[],
): readonly Readonly<{ citation: Citation; start: number; end: number }>[] {
  return citations.map((citation, index) => {
    if (citation.place !== null) return { citation, ...citation.place };
    const number = `[${index + 1}]`;
    const start = text.indexOf(number);
    if (start < 0) return { citation, start: text.length, end: text.length };
    return { citation, start, end: start + number.length };
  });
}
