import { isJsonObject, type JsonObject, toJsonArray } from '#lib/http/json-value.ts';
import { type Path, unsupportedField } from '../protocols/json/check.ts';

/** Fields that name something in the upstream's account, which is shared by everyone. */
const references: Readonly<Record<string, string>> = {
  file_id: 'This server stores no files: send the content itself, as a data: URL.',
  file_ids: 'This server stores no files: send their content in the conversation.',
  vector_store_ids:
    'This server has no vector stores: search yourself, and send what you found in the conversation.',
  container_id: 'This server has no containers that outlive a request: leave the id out.',
  skill_id: 'This server stores no skills: send the instructions in the conversation.',
  skill_ids: 'This server stores no skills: send the instructions in the conversation.',
};

/** What a client defines itself may contain any names. */
const ownFields = new Set(['parameters', 'input_schema', 'schema', 'arguments', 'annotations']);

/**
 * @throws HttpError 400 `unsupported_parameter` for a tool, or an item other than a message, that refers to
 * something stored.
 */
export function rejectStoredReferences(value: unknown, path: Path): void {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) rejectStoredReferences(one, [...path, index]);
  }
  if (!isJsonObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const message = Object.hasOwn(references, name) ? references[name] : undefined;
    if (message !== undefined && isGiven(inner)) throw unsupportedField([...path, name], message);
    if (!ownFields.has(name)) rejectStoredReferences(inner, [...path, name]);
  }
  rejectContainer(value, path);
}

/** A container by its id; a new one, which is of type `auto`, is gone with the request. */
function rejectContainer({ container }: JsonObject, path: Path): void {
  if (typeof container !== 'string') return;
  throw unsupportedField(
    [...path, 'container'],
    'This server has no containers that outlive a request: use {"type": "auto"}.',
  );
}

function isGiven(value: unknown): boolean {
  return typeof value === 'string' || toJsonArray(value).length > 0;
}
