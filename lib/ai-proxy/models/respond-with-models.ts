import { createRepresentation, respondWith } from '#lib/http/representations/representation.ts';
import type { RepresentationStore } from '#lib/http/representations/representation-store.ts';
import { type Freshness, setHeaders } from '#lib/http/response.ts';
import {
  toAnthropicModel,
  toAnthropicModelList,
  toEmbeddingModelList,
  toLanguageModelList,
  toModelRecord,
} from './list-shapes.ts';
import type { ModelSnapshot } from './merge-models.ts';
import type { UsableKind } from './model.ts';
import { findModel, type ModelLists } from './model-lists.ts';
import { toUnknownModelError } from './unknown-model-error.ts';

type Parts = Readonly<{ models: ModelLists; representations: RepresentationStore }>;

/** How old a list may be, s. */
const freshSeconds = 300;

const bodies = { language: toLanguageModelList, embedding: toEmbeddingModelList } as const;

/** Responds with a list of models, at most five minutes old unless the upstream fails. */
export function respondWithModels(
  request: Request,
  parts: Parts,
  kind: UsableKind,
): Promise<Response> {
  return respondWithJson(request, parts, kind, (snapshot, isAnthropic) =>
    isAnthropic
      ? toAnthropicModelList(snapshot[kind])
      : bodies[kind](snapshot[kind], snapshot.hasTotal),
  );
}

/** Responds with one model, of any kind, at `/models/{id}`; ids have slashes. @throws HttpError 404 */
export function respondWithModel(request: Request, parts: Parts): Promise<Response> {
  const id = decodePath(new URL(request.url).pathname.split('/v1/models/')[1] ?? '');
  return respondWithJson(request, parts, `model ${id}`, (snapshot, isAnthropic) => {
    const model = findModel(snapshot, id);
    if (model !== null && isAnthropic) return { ...toAnthropicModel(model), id };
    if (model !== null) return { ...toModelRecord(model), id };
    throw toUnknownModelError(id, [...snapshot.language, ...snapshot.embedding], 'language');
  });
}

async function respondWithJson(
  request: Request,
  { models, representations }: Parts,
  key: string,
  toBody: (snapshot: ModelSnapshot, isAnthropic: boolean) => object,
): Promise<Response> {
  const { snapshot, ageSeconds } = await models.current();
  // Anthropic’s clients send this header with every request.
  const isAnthropic = request.headers.has('anthropic-version');
  const ownKey = isAnthropic ? `${key} for Anthropic’s clients` : key;
  const representation = await representations.get(`models@${snapshot.changedAtMs}`, ownKey, () =>
    createRepresentation({
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify(toBody(snapshot, isAnthropic)),
      lastModifiedMs: snapshot.changedAtMs,
      vary: 'Anthropic-Version',
    }),
  );
  const response = await respondWith(request, representation, freshnessOf(ageSeconds));
  // Stale because the upstream fails (Age: RFC 9111 §5.1).
  if (ageSeconds >= freshSeconds) setHeaders(response, [['Age', String(ageSeconds)]]);
  return response;
}

// Clients encode the slashes of an id, or leave them.
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function freshnessOf(ageSeconds: number): Freshness {
  const loadedAt = performance.now() - ageSeconds * 1000;
  return () => {
    const leftSeconds = freshSeconds - Math.floor((performance.now() - loadedAt) / 1000);
    return leftSeconds > 0 ? `public, max-age=${leftSeconds}` : null;
  };
}
