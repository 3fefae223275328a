import { z } from 'zod';
import { isJsonObject, type JsonObject } from '#lib/http/json-value.ts';

/**
 * The field types of requests. Each error text completes the sentence “`temperature` must be …”.
 * Clients send null for omitted fields, so every optional field accepts it.
 */

export function text(what = 'a string') {
  return z.string(what);
}

/** A `type` that is not among the documented ones, whose own schemas say what is wrong. */
export function otherThan(documented: readonly string[], what?: string) {
  return text(what).refine((type) => !documented.includes(type), { abort: true });
}

/** A bound that may have decimals, which mean nothing. */
export function numberFrom(min: number) {
  const what = `a number, ${min} or more`;
  return z.number(what).min(min, what).transform(Math.floor);
}

export function flag() {
  return z.boolean('true or false');
}

export function oneOf<const T extends readonly [string, ...string[]]>(choices: T) {
  return z.enum(choices, toChoiceWords(choices));
}

/** An object; unknown fields are accepted. */
export function record<T extends z.core.$ZodLooseShape>(shape: T, what = 'an object') {
  return z.looseObject(shape, what);
}

/** An object of which no field is checked: `record({})` would copy every one. */
export function anyRecord(what = 'an object') {
  return z.custom<JsonObject>(isJsonObject, what);
}

/** What lists have, for the OpenAPI document: their schemas do not say. */
const listItems = new WeakMap<z.core.$ZodType, z.ZodType>();

export function findListItem(schema: z.core.$ZodType): z.ZodType | undefined {
  return listItems.get(schema);
}

/** An array. The check ends at its first invalid item: 100,000 errors would take seconds. */
export function list<T extends z.ZodType>(item: T, what = 'an array') {
  const schema = z.array(z.unknown(), what).transform((values, context): z.output<T>[] => {
    const items: z.output<T>[] = [];
    for (const [index, value] of values.entries()) {
      const result = item.safeParse(value);
      if (!result.success) {
        for (const issue of result.error.issues) {
          const at: z.core.$ZodRawIssue = {
            ...issue,
            input: undefined,
            path: [index, ...issue.path],
          };
          context.issues.push(at);
        }
        return z.NEVER;
      }
      items.push(result.data);
    }
    return items;
  });
  listItems.set(schema, item);
  return schema;
}

type Branch = z.ZodObject & z.core.$ZodTypeDiscriminable;

/** One of several objects, selected by the text in one field. */
export function taggedBy<const T extends readonly [Branch, ...Branch[]]>(
  { tag, choices, what }: Readonly<{ tag: string; choices: readonly string[]; what: string }>,
  branches: T,
) {
  return z.discriminatedUnion(tag, branches, {
    error: ({ path }) => (path?.at(-1) === tag ? toChoiceWords(choices) : what),
  });
}

export function toChoiceWords(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `\`${choice}\``);
  const last = quoted.at(-1) ?? '';
  return quoted.length < 2 ? last : `${quoted.slice(0, -1).join(', ')} or ${last}`;
}

/** OpenRouter’s way to ask what a reply costs. It is not sent on: strict servers reject it. */
export const usageOption = record({ include: flag().nullish() }).nullish();

const modelWords = 'the id of a model (see /proxy/v1/models)';
const modelLengthMax = 256;

/** Model ids go into URLs, logs and tables: printable ASCII only. */
export const modelSchema = z
  .string(modelWords)
  .min(1, modelWords)
  .max(modelLengthMax, modelWords)
  .regex(/^[\x21-\x7e]+$/, modelWords);
