import { HttpError } from '#lib/http/errors/errors.ts';
import { isJsonObject, type JsonObject, toText } from '#lib/http/json-value.ts';
import { endpoints } from '../endpoints.ts';
import { type Path, toParam } from '../protocols/json/check.ts';

/** Fields below the top that decide what a request reaches, or costs. */
const innerNames = toNames(
  `type role content text tools function model models allowed_models judge_model fallback_model file_id file_ids
  vector_store_ids container container_id skill_id skill_ids environment include_usage max_uses max_tokens
  budget_tokens image_url file_data file_url source data url cache_control`.split(/\s+/),
);
/** At the top of requests, of all endpoints. */
const topNames = toNames(
  endpoints
    .flatMap(({ generation }) => [...(generation?.knownFields ?? [])])
    .concat('previous_response_id', 'functions', 'search_parameters', 'enable_search'),
);

/** What clients define themselves may have any names. */
const ownFields: ReadonlySet<string> = new Set(
  `parameters input_schema schema arguments annotations metadata client_metadata logit_bias headers
  chat_template_kwargs providerOptions`.split(/\s+/),
);

/**
 * Servers that match names without case would take `MODEL` for `model`, which was not checked.
 * @throws HttpError 400 for the first field whose name differs from a known one only in case
 */
export function rejectOtherCase(body: JsonObject): void {
  for (const [name, value] of Object.entries(body)) {
    rejectName(name, topNames, []);
    if (!ownFields.has(name)) visit(value, [name]);
  }
}

function visit(value: unknown, path: Path): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const inner: unknown = value[index];
      if (typeof inner === 'object') visit(inner, [...path, index]);
    }
  } else if (isJsonObject(value)) {
    visitFields(value, path);
  }
}

function visitFields(fields: JsonObject, path: Path): void {
  const type = toText(fields.type);
  for (const name of Object.keys(fields)) {
    rejectName(name, innerNames, path);
    const inner = fields[name];
    if (typeof inner !== 'object') continue;
    // The parameters of a hosted tool (`openrouter:…`) are settings; the input of a call is its client's.
    const isOwn =
      (ownFields.has(name) && !type.includes(':')) || (name === 'input' && isJsonObject(inner));
    if (!isOwn) visit(inner, [...path, name]);
  }
}

/** Names by what they are without case. */
type Names = ReadonlyMap<string, string>;

function toNames(names: Iterable<string>): Names {
  return new Map([...names].map((name) => [name.toLowerCase(), name]));
}

function rejectName(name: string, known: Names, path: Path): void {
  // Both ways: `ſ` is an S, and the Kelvin sign a K, to servers that fold case.
  const folded = /^[a-z0-9_]*$/.test(name) ? name : name.toUpperCase().toLowerCase();
  const right = known.get(folded);
  if (right === undefined || right === name) return;
  const param = toParam([...path, name]).slice(0, 200);
  throw new HttpError(400, {
    param,
    message: `\`${param}\` must be written \`${right}\`: the case of names counts.`,
  });
}
