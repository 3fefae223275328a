import useSWR from 'swr';
import {
  addKnownFacts,
  type ListedModel,
  type ModelLists,
  readModelList,
} from '#lib/playground/model-lists.ts';

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
    ),
    embedding: useModelList(
      isConfigured ? '/proxy/v1/embeddings/models' : null,
      isListed ? initial.embedding : none,
    ),
  };
}

function useModelList(
  path: string | null,
  rendered: readonly ListedModel[],
): readonly ListedModel[] {
  const { data } = useSWR(path, loadList, { shouldRetryOnError: false });
  return data === undefined ? rendered : addKnownFacts(data, rendered);
}

async function loadList(path: string): Promise<ListedModel[]> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} failed with status ${response.status}`);
  return readModelList(await response.json());
}
