import { createApiError } from '#lib/http/errors/errors.ts';
import { createRepresentation, respondWith } from '#lib/http/representations/representation.ts';
import type { RepresentationStore } from '#lib/http/representations/representation-store.ts';
import { readSearchParameters, searchOf } from '#lib/http/search-parameters.ts';
import { findClient, rankModels } from '#lib/representations/clients/clients.ts';
import {
  isConnectable,
  toConnectScript,
} from '#lib/representations/clients/connect/connect-script.ts';
import { loadModels, type ModelsSource } from './load-models.ts';
import { freshFor, modelsFreshMs } from './plan-page.ts';

type Parts = Readonly<{
  site: Readonly<{ url: string }>;
  models: ModelsSource;
  representations: RepresentationStore;
}>;

/** Responds with the script for a client, and the model of the query or the best one. @throws HttpError 404, 503 */
export async function respondWithConnectScript(
  request: Request,
  { site, models, representations }: Parts,
  clientId: string,
): Promise<Response> {
  const client = findClient(clientId);
  if (client === undefined || !isConnectable(client)) {
    throw createApiError('not_found', {
      message: 'There is no script for this client.',
      hint: 'See /docs/connect.',
    });
  }
  const lists = await loadModels(models);
  if (lists.kind !== 'listed') {
    throw createApiError('upstream_error', { message: 'The models cannot be listed now.' });
  }
  const wanted = readSearchParameters(searchOf(request.url)).get('model');
  const model = wanted
    ? lists.language.find(({ id }) => id === wanted)
    : rankModels(client, lists.language)[0];
  if (model === undefined) {
    throw createApiError('not_found', {
      message: `There is no model for ${client.title}${wanted ? ' with this id' : ''}.`,
      hint: 'See /models.',
    });
  }
  const key = `connect ${client.id} ${model.id}`;
  const representation = await representations.get(`models@${lists.readAtMs}`, key, () =>
    createRepresentation({
      contentType: 'text/plain; charset=utf-8',
      body: toConnectScript(client, { siteUrl: site.url, model }),
      lastModifiedMs: lists.readAtMs,
    }),
  );
  return respondWith(request, representation, freshFor(modelsFreshMs));
}
