import type { Api, BilledReply, Counts } from './billed-replies.ts';
import { type Pricing, type Script, toPricing } from './billing-upstream.ts';

/** How a request reaches the upstream: in its own format, or as a chat completion. */
export type Path = 'chat' | 'responses' | 'messages' | 'responses over chat' | 'messages over chat';
export type Mode = 'json' | 'stream';
export type Outcome = 'complete' | 'left' | 'broke';

/** A kind of reply. What it leaves out can be told in all formats. */
export type BillKind = Readonly<{
  name: string;
  script: Script;
  /** Null: the list has no price. Default: 1 and 2 dollars for a million tokens. */
  pricing?: Pricing | null;
  apis?: readonly Api[];
  /** Default: all whose upstreams have the formats. */
  paths?: readonly Path[];
  modes?: readonly Mode[];
  outcomes?: readonly Outcome[];
  /** Why formats, modes or outcomes are missing. */
  because?: string;
  /** What the request has besides its prompt. */
  asksFor?: 'image' | 'choices' | 'cache';
  /** The first byte is later than the upstream may take. */
  isLate?: boolean;
  /** All of it is reported: a complete reply is no estimate. */
  isCounted?: boolean;
  /** The outcome after which neither a price nor a cost is known: the record has no cost then. */
  withoutCost?: Outcome;
}>;

const usual: Counts = { input: 100, output: 60 };
const usualPricing = toPricing(1, 2);
const cachePricing = toPricing(1, 2, {
  input_cache_read: '0.0000001',
  input_cache_write: '0.00000125',
});

const plain = (reply: Partial<BilledReply> = {}): Script => ({
  reply: { counts: usual, ...reply },
});

const soundPricing = toPricing(1, 2, {
  audio: '0.00004',
  input_audio_cache: '0.000004',
  input_cache_read: '0.0000001',
  audio_output: '0.00008',
});

/** The usage with other fields. */
const reporting = (report: BilledReply['report'], counts: Counts = usual): Script =>
  plain({ counts, ...(report !== undefined && { report }) });

/** A cost that the reply reports, and the upstream charges. */
const costing = (cost: object, billedUsd: number, counts: Counts = usual): Script => ({
  ...plain({ counts, report: (usage) => ({ ...usage, ...cost }) }),
  toBilledUsd: () => billedUsd,
});

/** A cost that nobody charges: the list's price applies. */
const claiming = (cost: unknown): Script => reporting((usage) => ({ ...usage, cost }));

const errorBody = { error: { type: 'invalid_request_error', message: 'This is no prompt.' } };
const chatUsage = { prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 };
const ownUsage = { input_tokens: 100, output_tokens: 60 };

export const billKinds: readonly BillKind[] = [
  { name: 'a plain usage', script: plain() },
  { name: 'no usage', script: reporting(() => null) },
  { name: 'a usage of zeros', script: reporting((usage) => mapNumbers(usage, () => 0)) },
  { name: 'usage as strings', script: reporting((usage) => mapNumbers(usage, String)) },
  {
    name: 'usage as floats',
    // A part of a token is one.
    script: reporting((usage) => mapNumbers(usage, (count) => (count === 0 ? 0 : count - 0.25))),
  },
  {
    name: 'output only in the total',
    script: reporting(({ completion_tokens, output_tokens, ...usage }) => usage),
    ...withTotals(),
  },
  {
    name: 'a total alone',
    script: reporting(({ total_tokens }) => ({ total_tokens })),
    ...withTotals(),
  },
  {
    name: 'reasoning with a price of its own',
    script: plain({ counts: { input: 100, output: 160, reasoning: 100 } }),
    pricing: toPricing(1, 2, { internal_reasoning: '0.000005' }),
    ...exceptMessages('its usage has no reasoning tokens'),
  },
  {
    name: 'reasoning only in the total',
    script: reporting(
      (usage) => ({ ...usage, completion_tokens: 60, output_tokens: 60, ...noDetails }),
      { input: 100, output: 160, reasoning: 100 },
    ),
    ...withTotals(),
  },
  {
    name: 'reasoning beyond the visible text',
    script: plain({ counts: { input: 100, output: 160, reasoning: 100 } }),
  },
  {
    name: 'cached reads',
    script: plain({ counts: { ...usual, cached: 80 } }),
    pricing: cachePricing,
  },
  {
    name: 'cached reads without a price of their own',
    script: plain({ counts: { ...usual, cached: 80 } }),
  },
  {
    name: 'cache writes',
    asksFor: 'cache',
    script: plain({ counts: { ...usual, written: 80 } }),
    pricing: cachePricing,
  },
  {
    name: 'cache writes without a price of their own',
    asksFor: 'cache',
    script: plain({ counts: { ...usual, written: 80 } }),
  },
  {
    name: 'cache writes for an hour',
    asksFor: 'cache',
    script: plain({ counts: { ...usual, written: 80, writtenHour: 70 } }),
    pricing: cachePricing,
    ...onlyMessages('no other usage has them'),
  },
  {
    name: 'cached reads and writes',
    asksFor: 'cache',
    script: plain({ counts: { ...usual, cached: 50, written: 40 } }),
    pricing: cachePricing,
  },
  { name: 'a reported cost above the list', script: costing({ cost: 0.0005 }, 0.0005) },
  { name: 'a reported cost below the list', script: costing({ cost: 0.0001 }, 0.0001) },
  { name: 'a reported cost as a string', script: costing({ cost: '0.0005' }, 0.0005) },
  {
    name: 'a cost of an own account and a fee',
    script: costing(
      { cost: 0.00001, is_byok: true, cost_details: { upstream_inference_cost: 0.0002 } },
      0.00021,
    ),
  },
  {
    name: 'a cost of an own account without a fee',
    script: costing(
      { cost: 0, is_byok: true, cost_details: { upstream_inference_cost: 0.0002 } },
      0.0002,
    ),
  },
  {
    name: 'a cost with its parts',
    script: costing(
      { cost: 0.0003, is_byok: false, cost_details: { upstream_inference_cost: 0.0003 } },
      0.0003,
    ),
  },
  { name: 'a cost of nothing beside tokens that have a price', script: claiming(0) },
  { name: 'a cost far below the list', script: claiming(0.00001) },
  { name: 'a negative cost', script: claiming(-1) },
  { name: 'an absurd cost', script: claiming(1e300) },
  { name: 'a cost beyond twenty times the list', script: claiming(0.1) },
  {
    name: 'a usage that grows',
    script: plain({ earlier: { at: 'half', counts: { input: 100, output: 30 } } }),
    ...onlyStreams('JSON has one usage'),
  },
  {
    name: 'a usage that shrinks',
    script: {
      reply: {
        counts: { input: 100, output: 90 },
        earlier: { at: 'half', counts: { input: 100, output: 90 } },
        report: (usage) => ({ ...usage, completion_tokens: 20, output_tokens: 20 }),
      },
    },
    ...onlyStreams('JSON has one usage'),
  },
  {
    name: 'an early usage, and text after it',
    script: plain({
      earlier: { at: 'start', counts: { input: 100, output: 5 } },
      hasFinalUsage: false,
    }),
    ...onlyStreams('JSON has one usage'),
  },
  {
    name: 'usage only in message_start',
    script: plain({
      earlier: { at: 'start', counts: { input: 100, output: 1 } },
      hasFinalUsage: false,
    }),
    apis: ['messages'],
    modes: ['stream'],
    because: 'only streamed messages begin with a usage',
  },
  {
    name: 'usage before an error',
    script: plain({ counts: { input: 100, output: 90, reasoning: 30 }, ending: 'error' }),
    isCounted: true,
    ...onlyStreams('beside an error of JSON, see the next'),
  },
  {
    name: 'usage beside an error',
    script: plain({
      counts: { input: 100, output: 90, reasoning: 30 },
      ending: 'error-with-usage',
    }),
    isCounted: true,
  },
  {
    name: 'usage at once after an error',
    script: plain({
      counts: { input: 100, output: 90, reasoning: 30 },
      ending: 'error-then-usage',
    }),
    isCounted: true,
    ...onlyStreams('JSON has no order'),
  },
  {
    name: 'JSON that calls itself a page',
    script: { ...plain(), isJsonOnly: true, contentType: 'text/html' },
    isCounted: true,
    outcomes: ['complete', 'left'],
    because: 'a page that broke off is one that costs nothing',
  },
  { name: 'a reply that was cut by its length', script: plain({ finish: 'length' }) },
  { name: 'a filtered reply', script: plain({ finish: 'content_filter' }) },
  { name: 'a tool call', script: plain({ finish: 'tool_calls' }) },
  {
    name: 'several choices',
    script: plain({ counts: { input: 100, output: 180 }, choices: 3 }),
    asksFor: 'choices',
    paths: ['chat'],
    because: 'only chat completions have choices',
  },
  { name: 'nothing but a usage', script: plain({ isBare: true }) },
  { name: 'an empty reply', script: plain({ counts: { input: 100, output: 0 } }) },
  {
    name: 'a prompt of twenty times its estimate',
    script: plain({ counts: { input: 2400, output: 60 } }),
    outcomes: ['complete'],
    because: 'nothing tells what a prompt has cost before the usage comes',
  },
  {
    name: 'searches of the web',
    script: plain({ counts: { ...usual, searches: 3 } }),
    pricing: toPricing(1, 2, { web_search: '0.00001' }),
    ...onlyMessages('no other usage has them'),
  },
  {
    name: 'a price for each request',
    script: plain(),
    pricing: toPricing(1, 2, { request: '0.0007' }),
  },
  {
    name: 'a price for each picture',
    script: plain({ counts: { ...usual, images: 1 } }),
    pricing: toPricing(1, 2, { image: '0.0009' }),
    asksFor: 'image',
  },
  {
    name: 'sound in the prompt and in the reply',
    script: plain({ counts: { input: 100, output: 160, audio: 90, audioOutput: 100 } }),
    pricing: soundPricing,
    ...onlyComplete(),
  },
  {
    name: 'sound of which the cache had a part',
    script: plain({ counts: { ...usual, audio: 90, cached: 50 } }),
    pricing: soundPricing,
    ...onlyComplete(),
  },
  {
    name: 'pictures in the prompt and in the reply',
    script: plain({ counts: { input: 100, output: 160, picture: 50, pictureOutput: 100 } }),
    pricing: toPricing(1, 2, { image_token: '0.000003', image_output: '0.00003' }),
    ...onlyComplete(),
  },
  { name: 'a free model', script: plain(), pricing: toPricing(0, 0) },
  {
    name: 'a free model with a cost of eleven dollars',
    script: claiming(11),
    pricing: toPricing(0, 0),
  },
  { name: 'an unlisted price', script: plain(), pricing: null },
  {
    name: 'an unlisted price and a reported cost',
    script: costing({ cost: 0.0004 }, 0.0004),
    pricing: null,
    // Its tokens are an estimate. A key with a budget in dollars cannot use a model without a price.
    withoutCost: 'broke',
  },
  {
    name: 'a frame of garbage',
    script: plain({ hasGarbage: true }),
    ...onlyStreams('JSON has no frames'),
  },
  {
    name: 'no finish',
    script: plain({ ending: 'no-finish' }),
    ...onlyStreams('a connection that ends is the outcome "broke"'),
  },
  {
    name: 'no last frame',
    script: plain({ ending: 'no-done' }),
    apis: ['chat', 'messages'],
    modes: ['stream'],
    because: 'Responses end with their usage',
  },
  {
    name: 'a usage after the last frame',
    script: plain({ ending: 'usage-after-done' }),
    apis: ['chat'],
    modes: ['stream'],
    because: 'only chat has a frame that says no more than that it ends',
  },
  {
    name: 'comments between events',
    script: plain({ hasComments: true }),
    ...onlyStreams('JSON has no comments'),
  },
  {
    name: 'a late first byte',
    script: { ...plain(), waitMs: 3000 },
    isLate: true,
  },
  {
    name: 'JSON in place of a stream',
    script: { ...plain(), isJsonOnly: true },
    ...onlyStreams('it is JSON then'),
  },
  {
    name: 'a 400',
    script: { ...plain(), status: 400, errorBody },
    ...withoutBroken(),
  },
  {
    name: 'a 400 with a usage',
    script: {
      ...plain(),
      status: 400,
      errorBody: { ...errorBody, usage: { ...chatUsage, ...ownUsage } },
    },
    ...withoutBroken(),
  },
  {
    name: 'a 500',
    script: { ...plain(), status: 500, errorBody },
    ...withoutBroken(),
  },
  { name: 'a compressed reply', script: { ...plain(), isCompressed: true } },
];

export const billPaths: readonly Path[] = [
  'chat',
  'responses',
  'messages',
  'responses over chat',
  'messages over chat',
];

/** Whether this kind can be told there. */
export function hasPath({ apis, paths }: BillKind, path: Path): boolean {
  const api = path === 'responses' || path === 'messages' ? path : 'chat';
  return (apis?.includes(api) ?? true) && (paths?.includes(path) ?? true);
}

export function toPricingOf({ pricing = usualPricing }: BillKind): Pricing | null {
  return pricing;
}

export type BillCase = Readonly<{
  model: string;
  kind: BillKind;
  path: Path;
  mode: Mode;
  outcome: Outcome;
}>;

const modes: readonly Mode[] = ['json', 'stream'];
const outcomes: readonly Outcome[] = ['complete', 'left', 'broke'];

/** All that can be told, each with a model of its own. */
export function toBillCases(): readonly BillCase[] {
  return billKinds.flatMap((kind, index) =>
    billPaths
      .filter((path) => hasPath(kind, path))
      .flatMap((path) =>
        (kind.modes ?? modes).flatMap((mode) =>
          (kind.outcomes ?? outcomes).map((outcome) => ({
            model: `${toUpstreamName(kind, path)}/${index}-${path.replaceAll(' ', '-')}-${mode}-${outcome}`,
            kind,
            path,
            mode,
            outcome,
          })),
        ),
      ),
  );
}

/** Translated requests go to an upstream that has chat alone; those whose reply is late to an impatient one. */
function toUpstreamName({ isLate = false }: BillKind, path: Path): string {
  return (path.endsWith('over chat') ? 'translated' : 'native') + (isLate ? '-late' : '');
}

const noDetails = {
  completion_tokens_details: { reasoning_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
};

function withTotals(): Pick<BillKind, 'apis' | 'because'> {
  return exceptMessages('its usage has no total');
}

function exceptMessages(because: string): Pick<BillKind, 'apis' | 'because'> {
  return { apis: ['chat', 'responses'], because };
}

function onlyMessages(because: string): Pick<BillKind, 'apis' | 'because'> {
  return { apis: ['messages'], because };
}

function onlyStreams(because: string): Pick<BillKind, 'modes' | 'because'> {
  return { modes: ['stream'], because };
}

function onlyComplete(): Pick<BillKind, 'apis' | 'outcomes' | 'because'> {
  return {
    apis: ['chat', 'responses'],
    outcomes: ['complete'],
    because: 'no usage of Messages has them, and nothing tells of them before the usage comes',
  };
}

function withoutBroken(): Pick<BillKind, 'outcomes' | 'because'> {
  return { outcomes: ['complete', 'left'], because: 'an error comes in one piece' };
}

function mapNumbers(
  usage: Readonly<Record<string, unknown>>,
  change: (count: number) => unknown,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(usage).map(([name, value]) => {
    if (typeof value === 'number') return [name, change(value)];
    const isParts = typeof value === 'object' && value !== null;
    return [name, isParts ? mapNumbers({ ...value }, change) : value];
  });
  return Object.fromEntries(entries);
}
