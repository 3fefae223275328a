import { createRepresentation, respondWith } from '#lib/http/representation.ts';
import type { RepresentationStore } from '#lib/http/representation-store.ts';
import { type Freshness, setHeaders } from '#lib/http/response.ts';
import { toEmbeddingModelList, toLanguageModelList } from './list-shapes.ts';
import type { ModelLists } from './model-lists.ts';

type Parts = Readonly<{ models: ModelLists; representations: RepresentationStore }>;

/** How old a list may be, s. */
const freshSeconds = 300;

const bodies = { language: toLanguageModelList, embedding: toEmbeddingModelList } as const;

/** Responds with a list of models, at most five minutes old unless the upstream fails. */
export async function respondWithModels(
  request: Request,
  { models, representations }: Parts,
  kind: keyof typeof bodies,
): Promise<Response> {
  const { snapshot, ageSeconds } = await models.current();
  const representation = await representations.get(`models@${snapshot.changedAtMs}`, kind, () =>
    createRepresentation({
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify(bodies[kind](snapshot[kind])),
      lastModifiedMs: snapshot.changedAtMs,
    }),
  );
  const response = await respondWith(request, representation, freshnessOf(ageSeconds));
  // Stale because the upstream fails (Age: RFC 9111 §5.1).
  if (ageSeconds >= freshSeconds) setHeaders(response, [['Age', String(ageSeconds)]]);
  return response;
}

function freshnessOf(ageSeconds: number): Freshness {
  const loadedAt = performance.now() - ageSeconds * 1000;
  return () => {
    const leftSeconds = freshSeconds - Math.floor((performance.now() - loadedAt) / 1000);
    return leftSeconds > 0 ? `public, max-age=${leftSeconds}` : null;
  };
}
