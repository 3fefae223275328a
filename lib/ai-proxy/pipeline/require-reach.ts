import { HttpError } from '#lib/http/errors/errors.ts';
import {
  isJsonObject,
  type JsonObject,
  toJsonArray,
  toJsonObject,
  toText,
} from '#lib/http/json-value.ts';
import { type Path, unsupportedField } from '../protocols/json/check.ts';
import type { FoundTool } from './tools.ts';

type ReachOptions = Readonly<{
  /** Of the request: see `listTools`. */
  tools: readonly FoundTool[];
  /** Of the endpoint. */
  knownFields: ReadonlySet<string>;
  /** Only certain models may be used: those of the key, or of AI_MODELS. */
  isRestricted: boolean;
  /** Whether an upstream lists a model of this id. */
  isModel: (id: string) => boolean;
}>;

/** Fields that let the upstream choose a model. */
const choosingFields = ['preset', 'route'] as const;
/** Ids, objects with a `model`, or objects that map an id to its fallbacks. */
const fallbackFields = [
  'fallbacks',
  'fallback_model',
  'fallback_models',
  'context_window_fallbacks',
  'content_policy_fallbacks',
] as const;
/** Of hosted tools and plugins. */
const modelFields = ['model', 'models', 'allowed_models', 'judge_model', 'fallback_model'] as const;
/**
 * Every model that a request names besides `model` and `models`. Where models are restricted, whatever else might make
 * the upstream call one is refused: unknown tools and plugins, and unknown fields that could carry one.
 * @throws HttpError 400 `unsupported_parameter`, 403 `model_not_allowed`
 */
export function requireReach(body: JsonObject, options: ReachOptions): readonly string[] {
  const names = new Set<string>();
  for (const field of fallbackFields) collectFallbacks(body[field], names);
  for (const options of Object.values(toJsonObject(body.providerOptions))) {
    collectModels(toJsonObject(options), names);
  }
  const plugins = toJsonArray(body.plugins).map(toJsonObject);
  for (const plugin of plugins) collectModels(plugin, names);
  const { tools } = options;
  for (const { tool, reachesModels } of tools) {
    if (!reachesModels) continue;
    collectModels(tool, names);
    collectModels(toJsonObject(tool.parameters), names);
  }
  if (!options.isRestricted) return [...names];
  rejectChoice(body);
  for (const [index, { id }] of plugins.entries()) {
    if (!knownPlugins.has(toText(id))) throw toUnknown(['plugins', index, 'id'], 'plugin');
  }
  for (const { isKnown, path } of tools) {
    if (!isKnown) throw toUnknown([...path, 'type'], 'kind of tool');
  }
  rejectUnknownFields(body, options);
  return [...names];
}

function collectModels(fields: JsonObject, names: Set<string>): void {
  for (const field of modelFields) collectFallbacks(fields[field], names);
}

function collectFallbacks(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') names.add(value);
  for (const item of toJsonArray(value)) collectFallbacks(item, names);
  if (!isJsonObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (Array.isArray(inner)) names.add(name);
    if (Array.isArray(inner) || name === 'model') collectFallbacks(inner, names);
  }
}

function rejectChoice(body: JsonObject): void {
  for (const field of choosingFields) {
    if (body[field] === undefined || body[field] === null) continue;
    throw new HttpError(403, {
      code: 'model_not_allowed',
      param: field,
      message: `This API key may use certain models only, so the upstream may not choose one: leave out \`${field}\` and name the model in \`model\`.`,
    });
  }
}

function rejectUnknownFields(body: JsonObject, { knownFields, isModel }: ReachOptions): void {
  for (const [field, value] of Object.entries(body)) {
    if (knownFields.has(field) || value === null) continue;
    const mayNameModel = typeof value === 'object' || (typeof value === 'string' && isModel(value));
    if (mayNameModel) throw toUnknown([field], 'field');
  }
}

function toUnknown(path: Path, what: string): HttpError {
  return unsupportedField(
    path,
    `Only certain models may be used here, and this ${what} is unknown: it could reach others. Leave it out, or ask the operator.`,
  );
}

const knownPlugins: ReadonlySet<string> = new Set([
  'auto-router',
  'file-parser',
  'fusion',
  'moderation',
  'response-healing',
  'web',
]);
