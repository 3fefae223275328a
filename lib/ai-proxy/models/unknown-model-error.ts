import leven from 'leven';
import { HttpError } from '#lib/http/errors/errors.ts';
import type { Model, UsableKind } from './model.ts';

/** 404: unknown, or not allowed for clients; the response is the same. */
export function toUnknownModelError(
  model: string,
  models: readonly Model[],
  kind: UsableKind,
): HttpError {
  const near = findNearestModel(model, models);
  const suggestion = near === null ? '' : ` Did you mean "${near}"?`;
  return toError(
    `There is no model ${quote(model)} here.${suggestion} GET ${listPaths[kind]} lists them all.`,
  );
}

/** 404: listed, but not for what the request needs. */
export function toWrongKindError(model: string, needed: UsableKind): HttpError {
  return toError(
    needed === 'language'
      ? `The model ${quote(model)} only creates embeddings. GET ${listPaths.language} lists the models that generate text.`
      : `The model ${quote(model)} does not create embeddings. GET ${listPaths.embedding} lists the models that do.`,
  );
}

const listPaths = { language: '/proxy/v1/models', embedding: '/proxy/v1/embeddings/models' };

function toError(message: string): HttpError {
  return new HttpError(404, {
    code: 'model_not_found',
    param: 'model',
    message,
  });
}

function findNearestModel(model: string, models: readonly Model[]): string | null {
  const requested = model.slice(0, 100).toLowerCase();
  // Omitting the vendor is the most common mistake.
  const named = models.find(
    ({ id }) => id.toLowerCase().split('/').slice(1).join('/') === requested,
  );
  if (named !== undefined) return named.id;
  let nearest: string | null = null;
  let distance = Math.ceil(requested.length / 3) + 1;
  for (const { id } of models) {
    const far = leven(requested, id.toLowerCase(), { maxDistance: distance });
    if (far < distance) {
      nearest = id;
      distance = far;
    }
  }
  return nearest;
}

function quote(model: string): string {
  return JSON.stringify(model.length > 100 ? `${model.slice(0, 100)}…` : model);
}
