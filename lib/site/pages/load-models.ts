import type { Model } from '#lib/ai-proxy/models/model.ts';
import type { ModelLists as ProxyModelLists } from '#lib/ai-proxy/models/model-lists.ts';
import {
  type ModelLists,
  readEmbeddingList,
  readModelList,
} from '#lib/representations/listed-models.ts';

/** Where the lists of models come from. */
export type ModelsSource = Pick<ProxyModelLists, 'current'>;

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

function toListed(models: readonly Model[]) {
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
