import { type Client, type ConfiguredModel, canDo, isKnownToDo } from './client.ts';
import { codingAgents } from './coding-agents.ts';
import { editors } from './editors.ts';
import { sdks } from './sdks.ts';

/** In the order in which they are offered. */
export const clients: readonly Client[] = [...codingAgents, ...editors, ...sdks];

export function findClient(id: string | undefined): Client | undefined {
  return clients.find((client) => client.id === id);
}

/** An agent’s own instructions take 20,000 tokens. */
const agentContextTokensMin = 32_000;
/** A window of 4k holds hardly more than a question. */
const contextTokensMin = 8_000;
const largeContextTokens = 128_000;

/** The models that a client can work with, those that suit it best first. */
export function rankModels<M extends OfferedModel>(client: Client, models: readonly M[]): M[] {
  return models
    .filter((model) => isUsable(client, model))
    .map((model) => ({ model, score: toScore(client, model) }))
    .sort((a, b) => b.score - a.score || b.model.created - a.model.created)
    .map(({ model }) => model);
}

/** What is offered of a model. */
export type OfferedModel = ConfiguredModel & Readonly<{ created: number }>;

/** For each client; some sites list thousands. */
const offeredMax = 60;

/** Those models that suit any client best, with as much of each as its configuration needs. */
export function pickOfferedModels(models: readonly OfferedModel[]): OfferedModel[] {
  const best = new Set(
    clients.flatMap((client) => rankModels(client, models).slice(0, offeredMax)),
  );
  return [...best].map(({ id, contextTokens, capabilities, created }) => {
    return { id, contextTokens, capabilities, created };
  });
}

/** What is unknown may be enough. */
function isUsable({ isAgent }: Client, model: OfferedModel): boolean {
  const { contextTokens } = model;
  const least = isAgent ? agentContextTokensMin : contextTokensMin;
  if (contextTokens !== null && contextTokens < least) return false;
  return !isAgent || canDo(model, 'tools');
}

function toScore({ isAgent, madeFor }: Client, model: OfferedModel) {
  const { id, contextTokens } = model;
  const isLarge = contextTokens !== null && contextTokens >= largeContextTokens;
  const points = [
    [8, madeFor?.test(id) === true],
    [4, isAgent && isKnownToDo(model, 'tools')],
    [2, isAgent && isLarge],
    [1, isAgent && isKnownToDo(model, 'reasoning')],
    [1, contextTokens !== null],
  ] as const;
  return points.reduce((sum, [value, isGiven]) => sum + (isGiven ? value : 0), 0);
}
