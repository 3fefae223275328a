import { z } from 'zod';
import { anyRecord, list, oneOf, record, taggedBy, text } from '../json/fields.ts';

/** Items of a conversation, as clients send them. Unknown fields are forwarded. */

const partTypes = [
  'input_text',
  'output_text',
  'input_image',
  'input_file',
  'input_audio',
  'refusal',
] as const;

const imageWords = 'a URL or data: URL, as a string';

const partSchema = taggedBy(
  { tag: 'type', choices: partTypes, what: 'a content part: an object with a `type`' },
  [
    record({ type: z.literal(['input_text', 'output_text']), text: text() }),
    record({
      type: z.literal('input_image'),
      image_url: text(imageWords).nullish(),
      file_id: text().nullish(),
      detail: text().nullish(),
    }),
    record({
      type: z.literal('input_file'),
      file_data: text('a data: URL as a string').nullish(),
      file_url: text('a URL as a string').nullish(),
      file_id: text().nullish(),
      filename: text().nullish(),
    }),
    record({
      type: z.literal('input_audio'),
      input_audio: record({ data: text('audio in base64'), format: text() }),
    }),
    record({ type: z.literal('refusal'), refusal: text() }),
  ],
);

export type InputPart = z.output<typeof partSchema>;

const content = z.union([text(), list(partSchema)], {
  error: 'a string or an array of content parts',
});

export const messageSchema = record({
  role: oneOf(['user', 'assistant', 'system', 'developer']),
  content,
  id: text().nullish(),
  status: text().nullish(),
});

export const functionCallSchema = record({
  type: z.literal('function_call'),
  call_id: text(),
  name: text(),
  arguments: text('JSON as a string'),
});

export const functionOutputSchema = record({
  type: z.literal('function_call_output'),
  call_id: text(),
  output: content,
});

export const reasoningSchema = record({
  type: z.literal('reasoning'),
  summary: list(anyRecord()).nullish(),
});

export const itemTypes = ['message', 'function_call', 'function_call_output', 'reasoning'];
