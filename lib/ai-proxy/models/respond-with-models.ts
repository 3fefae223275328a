import { createRepresentation, respondWith } from '#lib/http/representations/representation.ts';
import type { RepresentationStore } from '#lib/http/representations/representation-store.ts';
import { type Freshness, setHeaders } from '#lib/http/response.ts';
import { mayUseModel } from '#lib/keys/api-key.ts';
import type { OpenedKey } from '#lib/keys/key-request.ts';
import { keyHeaders } from '#lib/keys/key-text.ts';
import {
  toAnthropicModel,
  toAnthropicModelList,
  toEmbeddingModelList,
  toLanguageModelList,
  toModelRecord,
} from './list-shapes.ts';
import type { UsableKind } from './model.ts';
import type { ModelSnapshot } from './model-lists.ts';
import { findModel, type ModelLists, toNames } from './model-lists.ts';
import { toUnknownModelError } from './unknown-model-error.ts';

type Parts = Readonly<{
  models: ModelLists;
  representations: RepresentationStore;
  /** Null: no key is sent, and the lists are public. @throws HttpError 401, 429 */
  openKey: (request: Request) => Promise<OpenedKey | null>;
}>;

/** How old a list may be, s. */
const freshSeconds = 300;

const bodies = { language: toLanguageModelList, embedding: toEmbeddingModelList } as const;

/**
 * Responds with a list of models, at most five minutes old unless the upstream fails: with a key, of those that it may use.
 */
export function respondWithModels(
  request: Request,
  parts: Parts,
  kind: UsableKind,
): Promise<Response> {
  return respondWithJson(request, parts, kind, ({ snapshot, mayUse, isAnthropic }) => {
    const usable = snapshot[kind].filter(({ id }) => mayUse(id));
    return isAnthropic ? toAnthropicModelList(usable) : bodies[kind](usable, snapshot.hasTotal);
  });
}

/** Responds with one model, of any kind, at `/models/{id}`; ids have slashes. @throws HttpError 404 */
export function respondWithModel(request: Request, parts: Parts): Promise<Response> {
  const id = decodePath(new URL(request.url).pathname.split('/v1/models/')[1] ?? '');
  return respondWithJson(request, parts, `model ${id}`, ({ snapshot, mayUse, isAnthropic }) => {
    const model = mayUse(id) ? findModel(snapshot, id) : null;
    if (model !== null && isAnthropic) return { ...toAnthropicModel(model), id };
    if (model !== null) return { ...toModelRecord(model), id };
    const usable = [...snapshot.language, ...snapshot.embedding].filter(({ id }) => mayUse(id));
    throw toUnknownModelError(id, usable, 'language');
  });
}

type Shown = Readonly<{
  snapshot: ModelSnapshot;
  /** Whether the key that is sent may use a model. */
  mayUse: (model: string) => boolean;
  isAnthropic: boolean;
}>;

const vary = ['Anthropic-Version', ...keyHeaders].join(', ');

async function respondWithJson(
  request: Request,
  { models, representations, openKey }: Parts,
  name: string,
  toBody: (shown: Shown) => object,
): Promise<Response> {
  const opened = await openKey(request);
  const { snapshot, ageSeconds } = await models.current();
  const allowed = opened?.key.models ?? null;
  const mayUse = (model: string) =>
    toNames(snapshot.aliases, model).some((name) => mayUseModel({ models: allowed }, name));
  // Anthropic’s clients send this header with every request.
  const isAnthropic = request.headers.has('anthropic-version');
  const shown = JSON.stringify([name, isAnthropic, allowed]);
  const representation = await representations.get(`models@${snapshot.changedAtMs}`, shown, () =>
    createRepresentation({
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify(toBody({ snapshot, mayUse, isAnthropic })),
      lastModifiedMs: snapshot.changedAtMs,
      vary,
    }),
  );
  const freshness = opened === null ? freshnessOf(ageSeconds) : () => 'private, no-cache';
  const response = await respondWith(request, representation, freshness);
  if (opened !== null) setHeaders(response, opened.headers);
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
