import { z } from 'zod';
import { numberBetween, wholeNumber } from '#lib/http/number-schemas.ts';
import type { Frozen } from './deep-freeze.ts';
import { optionalFields, type QuirkName, quirkNames } from './quirk-names.ts';

/** The file that `AI_UPSTREAMS_FILE` names. Each error text completes “`upstreams[0].url` must be …”. */

const name = z
  .string('a name')
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'a name of up to 40 small letters, digits and hyphens');

const modelWords = 'the id of a model';
const modelId = z.string(modelWords).regex(/^[\x21-\x7e]{1,200}$/, modelWords);

const urlWords = 'an http(s) URL with its version, such as https://models.example/api/v1';
const url = z.string(urlWords).transform((text, context) => {
  const parsed = URL.parse(text);
  if (parsed !== null && isPlain(parsed)) {
    const { origin, pathname, search } = parsed;
    return origin + pathname.replace(/\/+$/, '') + search;
  }
  context.addIssue(urlWords);
  return z.NEVER;
});

function isPlain({ protocol, username, password, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && username + password + hash === '';
}

const protocols = ['chat', 'responses', 'messages', 'embeddings'] as const;
const protocolWords = `one of ${protocols.join(', ')}`;
const protocolListWords = `a list of ${protocols.join(', ')}`;
const optionalWords = `one of ${optionalFields.join(', ')}`;
const weight = numberBetween(0, 1000);
const seconds = numberBetween(0.1, 3600).optional();

const extraName = z
  .string('the name of an extra')
  .regex(/^[a-z0-9][\w.:-]{0,79}$/i, 'the name of an extra, such as web_search');
const extraWords = 'an object with `perCall` (US dollars), `factor`, or both';
const extraPrice = z
  .strictObject(
    { perCall: numberBetween(0, 10_000).optional(), factor: numberBetween(0.001, 1000).optional() },
    extraWords,
  )
  .refine(({ perCall, factor }) => perCall !== undefined || factor !== undefined, extraWords);

/** Headers that the proxy writes itself, or that frame a message. */
const ownHeaders =
  /^(?:accept(?:-encoding)?|connection|content-.*|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|user-agent)$/;
const keyHeaders = /^(?:authorization|x-api-key)$/;

const headerWords = 'the name of a header that the proxy does not write itself';
const header = z
  .string(headerWords)
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9_-]{0,79}$/, headerWords)
  .refine((text) => !ownHeaders.test(text), headerWords);
const headerValueWords = 'up to 1000 characters of plain ASCII';
const headerValue = z
  .string(headerValueWords)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,998}[\x21-\x7e])?$/, headerValueWords);

const takenWords = 'a list of the values that are taken, or false';
const taken = z
  .union(
    [z.literal(false).transform(() => []), z.array(z.string().regex(/^[\w.-]{1,40}$/)).max(20)],
    takenWords,
  )
  .optional();
/** What a model takes, so that it need not be learned. */
const fieldsOfModel = z.strictObject(
  {
    ...(Object.fromEntries(quirkNames.map((name) => [name, taken])) as Record<
      QuirkName,
      typeof taken
    >),
    max_tokens: z
      .literal('max_completion_tokens', '"max_completion_tokens"')
      .transform((field) => [field])
      .optional(),
    max_output_tokens: wholeNumber(1, 10_000_000)
      .transform((limit) => [String(limit)])
      .optional(),
  },
  'an object of fields',
);

const creditWords = 'false, or an object with `url` and `path`';
const numberPathWords = 'the path of a number, such as data.balance or infos.0.balance';
const numberPath = z
  .string(numberPathWords)
  .regex(/^[\w-]{1,60}(?:\.[\w-]{1,60}){0,9}$/, numberPathWords);
const credit = z.strictObject(
  {
    /** It gets the key of the upstream. */
    url,
    path: numberPath,
    /** Of a number that is taken from it, such as what was used. */
    usedPath: numberPath.optional(),
    /** An alert comes below this amount. */
    alertBelow: numberBetween(0, 1_000_000_000).optional(),
  },
  creditWords,
);

export const upstreamSchema = z.strictObject(
  {
    name,
    /** Base URL with its version, without a trailing slash. Its query is part of every request. */
    url,
    /** The name of an environment variable, or the path of a file. */
    keyEnv: z.string('the name of a variable').min(1, 'the name of a variable').optional(),
    keyFile: z.string('the path of a file').min(1, 'the path of a file').optional(),
    /** How the key is sent: as a bearer token, or in the header of this name. */
    auth: header.default('bearer'),
    /** Sent with every request, in place of the client’s. */
    headers: z
      .record(
        header.refine((text) => !keyHeaders.test(text), headerWords),
        headerValue,
        'an object of headers',
      )
      .default({}),
    protocols: z
      .array(z.enum(protocols, protocolWords), protocolListWords)
      .min(1, protocolListWords),
    /** How often it is tried first, relative to others that list the same model; 0: only after these. */
    weight: weight.default(1),
    /** What it takes of what not every chat server does, where the proxy translates; undefined: unknown. */
    accepts: z.array(z.enum(optionalFields, optionalWords), 'a list of names').optional(),
    /** What its models take of fields, by their ids there; `*`: all of them. */
    fields: z.record(modelId, fieldsOfModel, 'an object of models').default({}),
    /** What it charges beyond tokens, by the name of the extra. */
    extras: z.record(extraName, extraPrice, 'an object of extras').default({}),
    /** The highest cost of a reply that is believed where no price is known, it is zero, or extras have none; US dollars. */
    maxCostUsd: numberBetween(0, 10_000).default(10),
    /** Whether it is believed when it reports a cost far below its list, also none. */
    trustsLowCost: z.boolean('true or false').default(false),
    /** Where it tells what is left of the operator’s credit; false: it is not asked. */
    credit: z.union([z.literal(false), credit], creditWords).optional(),
    requestsPerMinute: wholeNumber(1, 1_000_000).optional(),
    concurrentRequests: wholeNumber(1, 100_000).optional(),
    timeoutSeconds: z
      .strictObject(
        { connect: seconds, firstByte: seconds, idle: seconds, total: seconds },
        'an object',
      )
      .default({}),
  },
  'an object that describes an upstream',
);

const target = z.strictObject(
  // The model’s id there, if it is another.
  { upstream: name, model: modelId.optional(), weight: weight.optional() },
  'an object with an `upstream`',
);

const price = numberBetween(0, 1_000_000);

/** US dollars. */
const tokenPrices = {
  inputPerMillion: price,
  outputPerMillion: price,
  cacheReadPerMillion: price.optional(),
  cacheWritePerMillion: price.optional(),
  cacheWriteHourPerMillion: price.optional(),
  audioPerMillion: price.optional(),
  audioCacheReadPerMillion: price.optional(),
  imagePerMillion: price.optional(),
  audioOutputPerMillion: price.optional(),
  imageOutputPerMillion: price.optional(),
};

const model = z.strictObject(
  {
    id: modelId,
    /** In order; if they have weights, in an order drawn by weight. */
    targets: z.array(target, 'a list of targets').min(1, 'a list of at least one target'),
    aliases: z.array(modelId, 'a list of ids').default([]),
    prices: z
      .strictObject(
        {
          ...tokenPrices,
          perRequest: price.default(0),
          above: z
            .strictObject(
              { ...tokenPrices, promptTokens: wholeNumber(1, 10_000_000) },
              'an object with `promptTokens`, `inputPerMillion` and `outputPerMillion`',
            )
            .optional(),
        },
        'an object with `inputPerMillion` and `outputPerMillion`',
      )
      .optional(),
  },
  'an object that describes a model',
);

export const upstreamsFileSchema = z.strictObject(
  {
    upstreams: z
      .array(upstreamSchema, 'a list of upstreams')
      .min(1, 'a list of at least one upstream')
      .max(100, 'a list of at most 100 upstreams'),
    models: z.array(model, 'a list of models').default([]),
  },
  'an object with `upstreams` and `models`',
);

export type UpstreamsFileContent = z.output<typeof upstreamsFileSchema>;

/** An upstream as the operator describes it, with its key. */
export type UpstreamSettings = Frozen<
  Omit<z.output<typeof upstreamSchema>, 'keyEnv' | 'keyFile'> & { key: string }
>;

/** A model that the operator defines: where it is served, and under which further ids. */
export type ModelSettings = Frozen<z.output<typeof model>>;

export type UpstreamsSettings = Readonly<{
  upstreams: readonly UpstreamSettings[];
  models: readonly ModelSettings[];
}>;
