import { HttpError } from '#lib/http/errors/errors.ts';
import type { JsonObject } from '#lib/http/json-value.ts';
import { endpoints } from '../endpoints.ts';
import { ownFields, type Path, toParam, visitObjects } from '../protocols/json/check.ts';

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

/** Options that have names of their own, too. */
const anyNames: ReadonlySet<string> = new Set(
  `metadata client_metadata logit_bias headers chat_template_kwargs providerOptions`
    .split(' ')
    .concat(...ownFields),
);

/**
 * Servers that match names without case would take `MODEL` for `model`, which was not checked.
 * @throws HttpError 400 for the first field whose name differs from a known one only in case
 */
export function rejectOtherCase(body: JsonObject): void {
  const visit = (fields: JsonObject, path: Path) => {
    const known = path.length === 0 ? topNames : innerNames;
    for (const name of Object.keys(fields)) rejectName(name, known, path);
  };
  visitObjects(body, [], visit, anyNames);
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
