import useSWR from 'swr';
import {
  addKnownFacts,
  type ListedModel,
  type ModelLists,
  readEmbeddingList,
  readModelList,
} from '#lib/representations/listed-models.ts';

type Lists = Readonly<{ language: readonly ListedModel[]; embedding: readonly ListedModel[] }>;

const none: readonly ListedModel[] = [];

/** The lists as rendered, then reloaded whenever the tab gets the focus. */
export function useModelLists(initial: ModelLists): Lists {
  const isListed = initial.kind === 'listed';
  const isConfigured = initial.kind !== 'unconfigured';
  return {
    language: useModelList(
      isConfigured ? '/proxy/v1/models' : null,
      isListed ? initial.language : none,
      readModelList,
    ),
    embedding: useModelList(
      isConfigured ? '/proxy/v1/embeddings/models' : null,
      isListed ? initial.embedding : none,
      readEmbeddingList,
    ),
  };
}

function useModelList(
  path: string | null,
  rendered: readonly ListedModel[],
  read: (body: unknown) => ListedModel[],
): readonly ListedModel[] {
  const load = async (url: string) => read(await loadJson(url));
  const { data } = useSWR(path, load, { shouldRetryOnError: false });
  return data === undefined ? rendered : addKnownFacts(data, rendered);
}

async function loadJson(path: string): Promise<unknown> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} failed with status ${response.status}`);
  return response.json();
}
