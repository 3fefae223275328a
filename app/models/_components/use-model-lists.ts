import useSWR from 'swr';
import {
  addKnownFacts,
  type ListedModel,
  type ModelLists,
  readModelList,
} from '#lib/playground/model-lists.ts';

type Lists = Readonly<{ language: readonly ListedModel[]; embedding: readonly ListedModel[] }>;

const nothing: readonly ListedModel[] = [];

/** The lists as the page brought them, and as the proxy has them whenever a visitor comes back to the page. */
export function useModelLists(initial: ModelLists): Lists {
  const isListed = initial.kind === 'listed';
  // Where there is no service behind the proxy there is nothing to ask for.
  const isAsked = initial.kind !== 'unconfigured';
  return {
    language: useModelList(
      isAsked ? '/proxy/v1/models' : null,
      isListed ? initial.language : nothing,
    ),
    embedding: useModelList(
      isAsked ? '/proxy/v1/embeddings/models' : null,
      isListed ? initial.embedding : nothing,
    ),
  };
}

function useModelList(
  address: string | null,
  brought: readonly ListedModel[],
): readonly ListedModel[] {
  const { data } = useSWR(address, loadList, { shouldRetryOnError: false });
  return data === undefined ? brought : addKnownFacts(data, brought);
}

async function loadList(address: string): Promise<ListedModel[]> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return readModelList(await response.json());
}
