import type { AiProxy } from '#lib/ai-proxy/ai-proxy.ts';
import { createResponse } from '#lib/http/response.ts';
import { createRoute, type Handle, type Route, type RouteServices } from '#lib/http/route.ts';
import type { UsageStore } from '#lib/spend/store/usage-store.ts';
import type { ModelSum } from '#lib/spend/store/usage-sums.ts';
import type { Members } from '../members.ts';
import { accountStyle, requireMembers } from '../routes/account-route.ts';

type Services = RouteServices &
  Readonly<{
    members: Members | null;
    database: Readonly<{ usage: Pick<UsageStore, 'sumOfModels'> }>;
    aiProxy: Pick<AiProxy, 'describeUpstreams'>;
  }>;

/** How the models of a site do. */
export type ModelHealth = Readonly<{
  /** Of the last 24 hours, by id; those with enough requests. */
  models: Readonly<Record<string, Omit<ModelSum, 'model'>>>;
  /** Ids of those that do not respond now. */
  outOfOrder: readonly string[];
}>;

const hourMs = 3_600_000;
/** Fewer say too little of a model, and too much of those who used it. */
const requestsMin = 20;

/**
 * How each model has done in the last 24 hours, as JSON for members: `/models`, which is the same for everybody, asks for
 * it later. Nothing for visitors, who ask as well.
 */
export function createModelHealthRoute(getServices: () => Services): Route {
  const read: Handle<Services> = async (request, { members, database, aiProxy }) => {
    const noStore = [['Cache-Control', 'no-store']] as const;
    const signedIn = await requireMembers(members).findSession(request.headers);
    if (signedIn === null) return createResponse({ status: 204, headers: noStore, body: null });
    const now = Date.now();
    const sums = await database.usage.sumOfModels(now - (now % hourMs) - 23 * hourMs);
    const known = sums.filter(({ requests }) => requests >= requestsMin);
    const health: ModelHealth = {
      models: Object.fromEntries(known.map(({ model, ...sum }) => [model, sum])),
      outOfOrder: findOutOfOrder(aiProxy.describeUpstreams()),
    };
    const headers = [['Content-Type', 'application/json; charset=utf-8'], ...noStore] as const;
    return createResponse({ status: 200, headers, body: JSON.stringify(health) });
  };
  return createRoute(getServices, { GET: read }, accountStyle);
}

/** The models to which no upstream lets a call through at present. */
function findOutOfOrder(
  upstreams: ReturnType<AiProxy['describeUpstreams']>,
): ModelHealth['outOfOrder'] {
  const blocked = new Set<string>();
  const working = new Set<string>();
  for (const { models, breaker, circuits } of upstreams) {
    for (const id of models ?? []) {
      if (breaker === 'open' || circuits.includes(id)) blocked.add(id);
      else working.add(id);
    }
  }
  return [...blocked].filter((id) => !working.has(id));
}
