import useSWR from 'swr';
import { type ListedModel, type ModelLists, readModelList } from '#lib/formats/model-lists.ts';

type Lists = Readonly<{ language: readonly ListedModel[]; embedding: readonly ListedModel[] }>;

const nothing: readonly ListedModel[] = [];

/** The lists as the page brought them, and as the proxy has them whenever a visitor comes back to the page. */
export function useModelLists(initial: ModelLists): Lists {
  const isListed = initial.kind === 'listed';
  // Where there is no service behind the proxy there is nothing to ask for.
  const isAsked = initial.kind !== 'unconfigured';
  const language = useModelList(isAsked ? '/proxy/v1/models' : null);
  const embedding = useModelList(isAsked ? '/proxy/v1/embeddings/models' : null);
  return {
    language: language ?? (isListed ? initial.language : nothing),
    embedding: embedding ?? (isListed ? initial.embedding : nothing),
  };
}

function useModelList(address: string | null): ListedModel[] | undefined {
  const { data } = useSWR(address, loadList, {
    revalidateIfStale: false,
    shouldRetryOnError: false,
  });
  return data;
}

async function loadList(address: string): Promise<ListedModel[]> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return readModelList(await response.json());
}
