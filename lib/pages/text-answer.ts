import type { Site } from '#lib/events/view/site-urls.ts';
import { createRepresentation, respondWith } from '#lib/http/representation.ts';
import type { RepresentationStore } from '#lib/http/representation-store.ts';

/** A text of our own, which changes with the program alone. */
type OwnText = Readonly<{
  /** Tells it from all others. */
  key: string;
  contentType: string;
  vary?: string;
  /** Further headers, names and values in turn. */
  headers?: (body: string) => readonly string[];
  write: () => string;
}>;

type Parts = Readonly<{ site: Site; representations: RepresentationStore }>;

const cacheControl = 'public, max-age=300';
const processStartedAtMs = Date.now();

/** Answers with a text of our own, written once a process. */
export async function respondWithText(
  request: Request,
  { site, representations }: Parts,
  { key, contentType, vary, headers, write }: OwnText,
): Promise<Response> {
  const representation = await representations.get(site, key, () => {
    const body = write();
    return createRepresentation({
      contentType,
      body,
      lastModifiedMs: processStartedAtMs,
      ...(vary !== undefined && { vary }),
      ...(headers !== undefined && { headers: headers(body) }),
    });
  });
  return respondWith(request, representation, () => cacheControl);
}
