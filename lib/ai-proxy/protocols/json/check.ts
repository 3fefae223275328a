import type { z } from 'zod';
import { HttpError } from '#lib/http/errors/errors.ts';
import { isJsonObject, type JsonObject, toJsonArray, toText } from '#lib/http/json-value.ts';

/** The path of a value in a request: keys and indices from the top. */
export type Path = readonly PropertyKey[];

/**
 * Checks a value against a schema from `fields.ts`. @throws HttpError 400 that names the first
 * invalid field and what it must be.
 */
export function check<T extends z.ZodType>(
  schema: T,
  value: unknown,
  path: Path = [],
): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path: within, message } = findProblem(result.error.issues);
  throw badField([...path, ...within], message, readAt(value, within) === undefined);
}

/** `input[1].content[0].text`: the format of OpenAI's `param`. */
export function toParam(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}

/** A 400 that says what a field must be. */
export function badField(path: Path, mustBe: string, isMissing = false): HttpError {
  const param = toParam(path);
  return new HttpError(400, {
    param,
    message: `\`${param}\` ${isMissing ? 'is missing: it must' : 'must'} be ${mustBe}.`,
  });
}

type ItemWords = Readonly<{ noun: string; list?: string; least?: string; max?: number }>;

/** Items that are checked one by one: the first invalid one ends the check. @throws HttpError 400 for none, or too many */
export function requireItems(value: unknown, field: string, words: ItemWords): readonly unknown[] {
  const { noun, list = `an array of ${noun}s`, max = 10_000 } = words;
  const { least = `an array of at least one ${noun}` } = words;
  if (!Array.isArray(value)) throw badField([field], list, value === undefined);
  if (value.length === 0) throw badField([field], least);
  if (value.length > max) throw badField([field], `an array of at most ${max} ${noun}s`);
  return value;
}

/** A 400 for something that other servers support and this one does not, with an alternative. */
export function unsupportedField(path: Path, message: string): HttpError {
  return new HttpError(400, {
    code: 'unsupported_parameter',
    param: toParam(path),
    message,
  });
}

export const noContainers =
  'This server has no containers that outlive a request: leave out `container`.';

/** @param refused the fields that must be left out, and why. @throws HttpError 400 for the first of them */
export function rejectFields(body: JsonObject, refused: Readonly<Record<string, string>>): void {
  for (const [field, message] of Object.entries(refused)) {
    if ((body[field] ?? null) !== null) throw unsupportedField([field], message);
  }
}

type Problem = Readonly<{ path: Path; message: string }>;

function findProblem(issues: readonly z.core.$ZodIssue[]): Problem {
  const [issue] = issues;
  if (issue === undefined) return { path: [], message: 'something else' };
  const { path, message } = issue;
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return { path, message };
  // The branch that matched furthest was meant; otherwise report the union itself.
  const branches = issue.errors.map(findProblem);
  const nearest = branches.reduce((best, branch) =>
    branch.path.length > best.path.length ? branch : best,
  );
  return nearest.path.length === 0
    ? { path, message }
    : { path: [...path, ...nearest.path], message: nearest.message };
}

function readAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

/** Fields that name something in the upstream's account, which is shared by everyone. */
const references = Object.entries({
  file_id: 'This server stores no files: send the content itself, as a data: URL.',
  file_ids: 'This server stores no files: send their content in the conversation.',
  vector_store_ids:
    'This server has no vector stores: search yourself, and send what you found in the conversation.',
  container_id: 'This server has no containers that outlive a request: leave the id out.',
  skill_id: 'This server stores no skills: send the instructions in the conversation.',
  skill_ids: 'This server stores no skills: send the instructions in the conversation.',
});

/**
 * @throws HttpError 400 `unsupported_parameter` for a tool, or an item other than a message, that refers to
 * something stored.
 */
export function rejectStoredReferences(value: unknown, path: Path): void {
  visitObjects(value, path, rejectStoredReference);
}

/** The same of one object. */
export function rejectStoredReference(fields: JsonObject, path: Path): void {
  for (const [name, message] of references) {
    if (hasValue(fields[name])) throw unsupportedField([...path, name], message);
  }
  // One of type `auto` is new, and ends with the request.
  if (typeof fields.container !== 'string') return;
  throw unsupportedField(
    [...path, 'container'],
    'This server has no containers that outlive a request: use {"type": "auto"}.',
  );
}

function hasValue(value: unknown): boolean {
  return typeof value === 'string' || toJsonArray(value).length > 0;
}

/** What clients define themselves may have any names. */
export const ownFields: ReadonlySet<string> = new Set([
  'parameters',
  'input_schema',
  'schema',
  'arguments',
  'annotations',
]);

/** Visits each object within a value, but for those of some fields, by default of what clients define themselves. */
export function visitObjects(
  value: unknown,
  path: Path,
  visit: (fields: JsonObject, path: Path) => void,
  skipped = ownFields,
): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const inner: unknown = value[index];
      if (typeof inner === 'object') visitObjects(inner, [...path, index], visit, skipped);
    }
  }
  if (!isJsonObject(value)) return;
  visit(value, path);
  for (const name of Object.keys(value)) {
    const inner = value[name];
    if (typeof inner !== 'object' || (skipped.has(name) && !isHosted(value))) continue;
    // Of a call of a tool.
    if (name === 'input' && isJsonObject(inner)) continue;
    visitObjects(inner, [...path, name], visit, skipped);
  }
}

/** The parameters of a hosted tool (`openrouter:…`) are settings. */
function isHosted({ type }: JsonObject): boolean {
  return toText(type).includes(':');
}
