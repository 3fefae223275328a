import { type ModelLists, readModelList } from '#lib/playground/model-lists.ts';

/** What the pages show of a model. */
type SourceModel = Readonly<{
  id: string;
  ownedBy: string;
  listed: Readonly<{ name?: unknown; context_length?: unknown; pricing?: unknown }>;
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
      language: toListed(language),
      embedding: toListed(embedding),
      readAtMs: changedAtMs,
    };
  } catch (error) {
    return { kind: isMisconfigured(error) ? 'unconfigured' : 'unreachable' };
  }
}

function toListed(models: readonly SourceModel[]) {
  return readModelList({
    data: models.map(({ id, ownedBy, listed: { name, context_length, pricing } }) => ({
      ...{ id, owned_by: ownedBy, name, context_length, pricing },
    })),
  });
}

function isMisconfigured(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'server_misconfigured';
}
