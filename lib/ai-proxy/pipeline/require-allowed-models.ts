import { HttpError } from '#lib/http/errors/errors.ts';
import { isJsonObject, type JsonObject, toJsonArray, toJsonObject } from '#lib/http/json-value.ts';

/** Fields of aggregators that name models which may reply instead. */
const modelFields = /^(?:.*_)?models?$|^fallbacks$/;
/** Fields of a function's schema, whose names do not concern the request. */
const schemaFields = /^(?:function|parameters|input_schema)$/;
/** Fields that let the upstream choose a model. */
const choosingFields = ['preset', 'route'] as const;

/**
 * Every model that a request names besides `model` and `models`: in `fallbacks` and `fallback_models` of any shape,
 * in plugins, and in the tools that use a model themselves.
 */
export function findFurtherModels({ model: _, models: __, ...body }: JsonObject): string[] {
  const names = new Set<string>();
  for (const [field, value] of Object.entries(body)) {
    if (modelFields.test(field)) collectTexts(value, names);
  }
  for (const one of [...toJsonArray(body.plugins), ...toJsonArray(body.tools)]) {
    collectModels(toJsonObject(one), names);
  }
  return [...names];
}

function collectModels(fields: JsonObject, names: Set<string>): void {
  for (const [field, value] of Object.entries(fields)) {
    if (modelFields.test(field)) collectTexts(value, names);
    else if (!schemaFields.test(field)) collectModels(toJsonObject(value), names);
  }
}

/** Fallbacks are ids, objects with a `model`, or objects that map an id to its fallbacks. */
function collectTexts(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') names.add(value);
  for (const one of toJsonArray(value)) collectTexts(one, names);
  if (!isJsonObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (Array.isArray(inner)) names.add(name);
    if (Array.isArray(inner) || name === 'model') collectTexts(inner, names);
  }
}

/** @throws HttpError 403 for what lets the upstream choose among models that are not on a list. */
export function rejectChoiceByUpstream(body: JsonObject): void {
  for (const field of choosingFields) {
    if (body[field] === undefined || body[field] === null) continue;
    throw new HttpError(403, {
      code: 'model_not_allowed',
      param: field,
      message: `This API key may use certain models only, so the upstream may not choose one: leave out \`${field}\` and name the model in \`model\`.`,
    });
  }
}
