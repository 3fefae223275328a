import { z } from 'zod';
import { numberBetween, wholeNumber } from '#lib/http/number-schemas.ts';
import {
  anyRecord,
  flag,
  list,
  modelSchema,
  oneOf,
  record,
  taggedBy,
  text,
  usageOption,
} from '../json/fields.ts';

/** Responses requests, except for their input (see `input-schema.ts`). Unknown fields are forwarded. */

const toolKindWords = 'the kind of tool, such as `function`';

const functionTool = record({
  type: z.literal('function', toolKindWords),
  name: text(),
  description: text().nullish(),
  parameters: anyRecord('a JSON schema').nullish(),
  strict: flag().nullish(),
});

const otherTool = record({
  type: text(toolKindWords).refine((type) => type !== 'function', {
    abort: true,
  }),
});

const toolSchema = z.union([functionTool, otherTool], {
  error: 'a tool: an object with a `type`',
});

const toolChoice = z.union(
  [oneOf(['none', 'auto', 'required']), record({ type: text(), name: text().optional() })],
  { error: '`none`, `auto`, `required`, or an object that names a tool' },
);

const textFormat = taggedBy(
  {
    tag: 'type',
    choices: ['text', 'json_object', 'json_schema'],
    what: 'an object with a `type`',
  },
  [
    record({ type: z.literal(['text', 'json_object']) }),
    record({
      type: z.literal('json_schema'),
      name: text(),
      schema: anyRecord('a JSON schema'),
      description: text().nullish(),
      strict: flag().nullish(),
    }),
  ],
);

export const responsesOptionsSchema = record({
  model: modelSchema,
  instructions: text().nullish(),
  stream: flag().nullish(),
  usage: usageOption,
  max_output_tokens: wholeNumber(1).nullish(),
  max_tool_calls: wholeNumber(1).nullish(),
  temperature: numberBetween(0, 2).nullish(),
  top_p: numberBetween(0, 1).nullish(),
  presence_penalty: numberBetween(-2, 2).nullish(),
  frequency_penalty: numberBetween(-2, 2).nullish(),
  top_logprobs: wholeNumber(0, 20).nullish(),
  tools: list(toolSchema).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: flag().nullish(),
  text: record({ format: textFormat.nullish(), verbosity: text().nullish() }).nullish(),
  reasoning: record({ effort: text().nullish(), summary: text().nullish() }).nullish(),
  include: list(text()).nullish(),
  metadata: anyRecord().nullish(),
  truncation: oneOf(['auto', 'disabled']).nullish(),
  service_tier: text().nullish(),
  store: flag().nullish(),
  user: text().nullish(),
  prompt_cache_key: text().nullish(),
  safety_identifier: text().nullish(),
  /** Fallback models, which some upstreams accept: checked like `model`. */
  models: list(modelSchema).nullish(),
});

export type ResponsesOptions = z.output<typeof responsesOptionsSchema>;
