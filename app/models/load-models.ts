import { type ModelLists, readModelList } from '#lib/playground/model-lists.ts';
import type { Services } from '#lib/services.ts';

/** The fields of a model that the page shows. */
type SourceModel = Readonly<{
  id: string;
  ownedBy: string;
  listed: Readonly<{ name?: unknown; context_length?: unknown; pricing?: unknown }>;
}>;

/** The models of the AI proxy, or why there are none. Never throws: the page shows a message instead. */
export async function loadModels(services: Services): Promise<ModelLists> {
  try {
    const { snapshot } = await services.aiProxy.models.current();
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
