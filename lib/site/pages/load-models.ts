import {
  type ModelLists,
  readEmbeddingList,
  readModelList,
} from '#lib/representations/listed-models.ts';

/** What the pages show of a model. */
type SourceModel = Readonly<{
  id: string;
  ownedBy: string;
  created: number;
  listed: Readonly<{
    name?: unknown;
    description?: unknown;
    context_length?: unknown;
    pricing?: unknown;
    architecture?: unknown;
    supported_parameters?: unknown;
  }>;
}>;

/** Where the lists of models come from. */
export type ModelsSource = Readonly<{
  current: () => Promise<
    Readonly<{
      snapshot: Readonly<{
        language: readonly SourceModel[];
        embedding: readonly SourceModel[];
        changedAtMs: number;
      }>;
    }>
  >;
}>;

/** The lists of models, or why there are none. It never throws. */
export async function loadModels(models: ModelsSource): Promise<ModelLists> {
  try {
    const { snapshot } = await models.current();
    const { language, embedding, changedAtMs } = snapshot;
    return {
      kind: 'listed',
      language: readModelList(toListed(language)),
      embedding: readEmbeddingList(toListed(embedding)),
      readAtMs: changedAtMs,
    };
  } catch (error) {
    return { kind: isMisconfigured(error) ? 'unconfigured' : 'unreachable' };
  }
}

function toListed(models: readonly SourceModel[]) {
  return {
    data: models.map(({ id, ownedBy, created, listed }) => ({
      ...listed,
      id,
      owned_by: ownedBy,
      created,
    })),
  };
}

function isMisconfigured(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'server_misconfigured';
}
