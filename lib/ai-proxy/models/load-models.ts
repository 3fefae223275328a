import { isDeepStrictEqual } from 'node:util';
import { toJsonObject } from '../protocols/json/json-value.ts';
import { isProxyError } from '../proxy-error.ts';
import { isMissingEndpoint, toUpstreamError } from '../upstreams/failure.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { type Model, type ModelKind, readModels } from './model.ts';

/** The upstream's lists at one time. The same object until the lists change. */
export type ModelSnapshot = Readonly<{
  language: readonly Model[];
  embedding: readonly Model[];
  byId: ReadonlyMap<string, Model>;
  /** Whether the upstream's lists have a `total_count`. */
  hasTotal: boolean;
  /** When the lists last changed, Unix time in ms. */
  changedAtMs: number;
}>;

export type LoadModelsOptions = Readonly<{
  upstream: Pick<Upstream, 'fetchJson'>;
  isAllowed: (model: string) => boolean;
  now: () => number;
}>;

const listMs = 15_000;
const listBytesMax = 16 * 1024 * 1024;

/**
 * Reads both lists. An upstream without a list of embedding models has them in the other one; if
 * only that list fails, its last good copy is used. @throws ProxyError if the list of models cannot
 * be read.
 */
export async function loadModels(
  { upstream, isAllowed, now }: LoadModelsOptions,
  previous: ModelSnapshot | null,
): Promise<ModelSnapshot> {
  const [main, embeddings] = await Promise.all([
    fetchModels(upstream, '/models'),
    fetchEmbeddingModels(upstream, previous?.embedding ?? null),
  ]);
  const embedding = embeddings ?? main.models.filter(({ kind }) => kind === 'embedding');
  const language = main.models
    .filter(({ kind }) => kind === 'language')
    .filter(({ id }) => isAllowed(id));
  return toSnapshot(
    language,
    embedding.filter(({ id }) => isAllowed(id)),
    { previous, nowMs: now(), hasTotal: main.hasTotal },
  );
}

/** Null if the upstream has no such list. */
async function fetchEmbeddingModels(
  upstream: LoadModelsOptions['upstream'],
  previous: readonly Model[] | null,
): Promise<readonly Model[] | null> {
  try {
    return (await fetchModels(upstream, '/embeddings/models', 'embedding')).models;
  } catch (error) {
    if (!isProxyError(error)) throw error;
    return isMissingEndpoint(error) ? null : previous;
  }
}

async function fetchModels(
  upstream: LoadModelsOptions['upstream'],
  path: '/models' | '/embeddings/models',
  kind?: ModelKind,
): Promise<Readonly<{ models: readonly Model[]; hasTotal: boolean }>> {
  // A failed list gives no information about its models.
  const request = { method: 'GET', path, circuit: `GET ${path}`, totalMs: listMs } as const;
  const body = await upstream.fetchJson(request, listBytesMax);
  const models = readModels(body, kind);
  if (models === null) throw toUpstreamError(`${path} is no list of models`);
  return { models, hasTotal: typeof toJsonObject(body).total_count === 'number' };
}

function toSnapshot(
  language: readonly Model[],
  embedding: readonly Model[],
  {
    previous,
    nowMs,
    hasTotal,
  }: Readonly<{ previous: ModelSnapshot | null; nowMs: number; hasTotal: boolean }>,
): ModelSnapshot {
  const isSame =
    previous?.hasTotal === hasTotal &&
    isDeepStrictEqual(previous.language, language) &&
    isDeepStrictEqual(previous.embedding, embedding);
  if (isSame) return previous;
  const byId = new Map([...embedding, ...language].map((model) => [model.id, model]));
  return { language, embedding, byId, hasTotal, changedAtMs: nowMs };
}
