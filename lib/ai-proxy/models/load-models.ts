import { isDeepStrictEqual } from 'node:util';
import { isHttpError } from '#lib/http/errors/errors.ts';
import { toJsonObject } from '#lib/http/json-value.ts';
import { toUpstreamError } from '../upstreams/errors/failure.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { type CachedValue, createCachedValue } from './cached-value.ts';
import { type Model, type ModelKind, readModels } from './model.ts';

/** The lists of one upstream. The same object until they change. */
export type UpstreamModels = Readonly<{
  language: readonly Model[];
  embedding: readonly Model[];
  byId: ReadonlyMap<string, Model>;
  /** Whether its lists have a `total_count`. */
  hasTotal: boolean;
}>;

type Lister = Pick<Upstream, 'fetchJson'>;

const freshMs = 5 * 60_000;
const retryMs = 10_000;
const listMs = 15_000;
const listBytesMax = 16 * 1024 * 1024;

/** The lists of one upstream, at most 5 minutes old unless it fails; then the last good ones. */
export function createUpstreamLists(
  upstream: Lister,
  now: () => number,
): CachedValue<UpstreamModels> {
  return createCachedValue({
    load: (previous) => loadModels(upstream, previous),
    now,
    freshMs,
    retryMs,
  });
}

/**
 * Reads both lists. An upstream without a list of embedding models has them in the other one; if
 * only that list fails, its last good copy is used. @throws HttpError if the list of models cannot
 * be read.
 */
async function loadModels(
  upstream: Lister,
  previous: UpstreamModels | null,
): Promise<UpstreamModels> {
  const [main, embeddings] = await Promise.all([
    fetchModels(upstream, '/models'),
    fetchEmbeddingModels(upstream, previous?.embedding ?? null),
  ]);
  const { hasTotal } = main;
  const language = main.models.filter(({ kind }) => kind === 'language');
  const embedding = embeddings ?? main.models.filter(({ kind }) => kind === 'embedding');
  const byId = new Map([...embedding, ...language].map((model) => [model.id, model]));
  const loaded = { language, embedding, byId, hasTotal };
  return isDeepStrictEqual(previous, loaded) && previous !== null ? previous : loaded;
}

/** Null if the upstream has no such list. */
async function fetchEmbeddingModels(
  upstream: Lister,
  previous: readonly Model[] | null,
): Promise<readonly Model[] | null> {
  try {
    return (await fetchModels(upstream, '/embeddings/models', 'embedding')).models;
  } catch (error) {
    if (!isHttpError(error)) throw error;
    return error.upstreamStatus === 404 || error.upstreamStatus === 405 ? null : previous;
  }
}

async function fetchModels(
  upstream: Lister,
  path: '/models' | '/embeddings/models',
  kind?: ModelKind,
): Promise<Readonly<{ models: readonly Model[]; hasTotal: boolean }>> {
  // A failed list gives no information about its models.
  const request = {
    method: 'GET',
    path,
    group: { circuit: `GET ${path}` },
    totalMs: listMs,
  } as const;
  const body = await upstream.fetchJson(request, listBytesMax);
  const models = readModels(body, kind);
  if (models === null) throw toUpstreamError({ reason: `${path} is no list of models` });
  return { models, hasTotal: typeof toJsonObject(body).total_count === 'number' };
}
