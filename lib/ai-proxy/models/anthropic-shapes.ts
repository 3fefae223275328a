import type { Model } from './model.ts';

/** A model in the format of Anthropic’s API. */
export function toAnthropicModel({ id, created, listed }: Model) {
  return {
    type: 'model',
    id,
    display_name: listed.name ?? id,
    created_at: new Date(created * 1000).toISOString(),
  } as const;
}

/** The body of `/models` for Anthropic’s clients: all models on one page. */
export function toAnthropicModelList(models: readonly Model[]) {
  const data = models.map(toAnthropicModel);
  const lastId = data.at(-1)?.id ?? null;
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: lastId } as const;
}
