import { isJsonObject } from '../protocols/json/json-value.ts';

/** The average of English text. Other scripts have more tokens and also more bytes per character. */
const bytesPerToken = 4;

/** A typical count for an image or file of common size, since the actual size is unknown. */
const mediaTokens = 1000;

const mediaTypes = new Set([
  'image',
  'document',
  'image_url',
  'input_image',
  'input_audio',
  'video_url',
  'file',
  'input_file',
  'computer_screenshot',
]);

/** Estimates the tokens of a text: for budgets, and for streams that ended before their usage. */
export function estimateTextTokens(utf8Bytes: number): number {
  return Math.ceil(utf8Bytes / bytesPerToken);
}

/** Estimates the tokens of a prompt: all texts, and a constant per image or file. */
export function estimatePromptTokens(...values: readonly unknown[]): number {
  let bytes = 0;
  let media = 0;

  function visit(value: unknown): void {
    if (typeof value === 'string') {
      bytes += Buffer.byteLength(value);
    } else if (Array.isArray(value)) {
      for (const one of value) visit(one);
    } else if (isJsonObject(value)) {
      if (typeof value.type === 'string' && mediaTypes.has(value.type)) media++;
      else for (const one of Object.values(value)) visit(one);
    }
  }

  for (const value of values) visit(value);
  return estimateTextTokens(bytes) + media * mediaTokens;
}
