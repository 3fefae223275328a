import { type ModelLists, readModelList } from '#lib/formats/model-lists.ts';
import type { Services } from '#lib/services.ts';

/** A model, as far as the page shows it. */
type SourceModel = Readonly<{
  id: string;
  ownedBy: string;
  listed: Readonly<{ name?: unknown; context_length?: unknown; pricing?: unknown }>;
}>;

/** What keeps the lists of models that callers may use. */
type ModelSource = Readonly<{
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

/** The models that the site offers, or why there are none to show. Never throws: the page has words for it. */
export async function loadModels(services: Services): Promise<ModelLists> {
  const source: unknown = 'models' in services ? services.models : undefined;
  if (!isModelSource(source)) return { kind: 'unconfigured' };
  try {
    const { language, embedding, changedAtMs } = (await source.current()).snapshot;
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

function isModelSource(source: unknown): source is ModelSource {
  return typeof source === 'object' && source !== null && 'current' in source;
}

function isMisconfigured(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'server_misconfigured';
}
