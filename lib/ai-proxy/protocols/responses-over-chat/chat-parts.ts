import { type JsonObject, toJsonArray, toJsonObject, toText } from '#lib/http/json-value.ts';
import { type ChatContent, toPlainContent } from '../chat/read-request.ts';
import { type Path, unsupportedField } from '../json/check.ts';
import type { InputPart } from '../responses/input-schema.ts';

/** Parts of a message as chat has them. @throws HttpError 400 for one that it has no place for */
export function toContent(parts: readonly InputPart[], path: Path): Exclude<ChatContent, null> {
  return toPlainContent(parts.map((part, index) => toChatPart(part, [...path, index])));
}

export function toChatPart(part: InputPart, path: Path): JsonObject {
  const { cache_control } = part;
  const sent = toBarePart(part, path);
  return cache_control ? { ...sent, cache_control } : sent;
}

function toBarePart(part: InputPart, path: Path): JsonObject {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: part.text };
    case 'refusal':
      // Few servers know refusal parts; for the model the text is enough.
      return { type: 'text', text: part.refusal };
    case 'input_image': {
      const detail = part.detail ? { detail: part.detail } : {};
      return { type: 'image_url', image_url: { url: part.image_url ?? '', ...detail } };
    }
    case 'input_file': {
      const name = part.filename ? { filename: part.filename } : {};
      return { type: 'file', file: { ...name, file_data: part.file_data ?? part.file_url ?? '' } };
    }
    case 'input_audio':
      return { type: 'input_audio', input_audio: part.input_audio };
    default:
      throw unsupportedField(
        path,
        'The model’s server takes only texts, pictures and files here: leave the part out.',
      );
  }
}

/** A picture that another model has made. */
export function toPicture({ result, output_format: format }: JsonObject): JsonObject {
  const url = `data:image/${toText(format) || 'png'};base64,${toText(result)}`;
  return { type: 'image_url', image_url: { url } };
}

export function toParts(value: unknown): readonly InputPart[] {
  return toJsonArray(value).map((part) => toJsonObject(part) as InputPart);
}
