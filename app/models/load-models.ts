import { type ModelLists, readModelList } from '#lib/formats/model-lists.ts';
import type { Services } from '#lib/services.ts';

/** What gives the lists in the form in which the proxy sends them. */
type ModelSource = Readonly<{
  listLanguageModels: () => Promise<unknown>;
  listEmbeddingModels: () => Promise<unknown>;
}>;

/** The models that the site offers, or why there are none to show. Never throws: the page has words for it. */
export async function loadModels(services: Services): Promise<ModelLists> {
  const source = 'models' in services ? services.models : undefined;
  if (!isModelSource(source)) return { kind: 'unconfigured' };
  try {
    const [language, embedding] = await Promise.all([
      source.listLanguageModels(),
      source.listEmbeddingModels(),
    ]);
    return {
      kind: 'listed',
      language: readModelList(language),
      embedding: readModelList(embedding),
      readAtMs: Date.now(),
    };
  } catch (error) {
    return { kind: isMisconfigured(error) ? 'unconfigured' : 'unreachable' };
  }
}

function isModelSource(source: unknown): source is ModelSource {
  return typeof source === 'object' && source !== null && 'listLanguageModels' in source;
}

function isMisconfigured(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'server_misconfigured';
}
