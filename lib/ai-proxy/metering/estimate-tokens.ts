import { isJsonObject } from '../protocols/json/json-value.ts';

/** What English text takes on average. Other scripts take more tokens and more bytes a character alike. */
const bytesPerToken = 4;

/** About what a picture or a file of common size is counted as; the sizes themselves are not known. */
const mediaTokens = 1000;

const mediaTypes = new Set([
  'image_url',
  'input_image',
  'input_audio',
  'video_url',
  'file',
  'input_file',
  'computer_screenshot',
]);

/** Tokens of a text, roughly: for budgets, and for streams that ended before their usage came. */
export function estimateTextTokens(utf8Bytes: number): number {
  return Math.ceil(utf8Bytes / bytesPerToken);
}

/** Tokens of a prompt, roughly: every text in it, and a constant for each picture or file. */
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
