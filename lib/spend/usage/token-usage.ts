import type { MediaCount } from './estimate-tokens.ts';

export type ToolCalls = ReadonlyMap<string, number>;

/** The usage of a request, independent of the upstream's format. */
export type TokenUsage = Readonly<{
  inputTokens: number;
  outputTokens: number;
  /** Part of the input. */
  cachedInputTokens: number;
  /** Part of the input; only some upstreams report it. */
  cacheWriteTokens?: number;
  /** Part of `cacheWriteTokens`: those cached for an hour, which cost more. */
  cacheWriteHourTokens?: number;
  /** Part of the input: sound, what of it came from the cache, and pictures. */
  audioTokens?: number;
  cachedAudioTokens?: number;
  imageTokens?: number;
  /** Part of the output: sound and pictures. */
  audioOutputTokens?: number;
  imageOutputTokens?: number;
  /** How often the upstream has used each of its tools, by their names among `extras`: as it reports, or as a reply shows. */
  toolCalls?: ToolCalls;
  /** The report contradicts itself: the tokens of the reading that is not charged. */
  disputedTokens?: number;
  /** What the upstream says it cost, in US dollars. */
  costUsd?: number;
  /** The service tier that it says has served. */
  serviceTier?: string;
  /** The speed of Messages that it says has served. */
  speed?: string;
  /** Part of the output. */
  reasoningTokens: number;
  /** Of the output, what was seen, or estimated by what was; in a stream, only where an estimate is part of the counts. */
  seenOutputTokens?: number;
  /** Whether an estimate is part of the counts, or the upstream reported all of them. */
  isEstimated: boolean;
}>;

/** What somebody says of a request. */
type Report = Required<Omit<TokenUsage, 'isEstimated' | 'seenOutputTokens' | Unknowable>> &
  Readonly<{ [name in Unknowable]: TokenUsage[name] | undefined }>;

type Unknowable = 'costUsd' | 'serviceTier' | 'speed' | 'disputedTokens';

/** As a service names them. */
type ReportedCounts = Readonly<{
  input: number;
  output: number;
  /** 0: it names none. */
  total: number;
  /** What a cache had of the prompt, and what went into it. */
  cache: number;
  reasoning: number;
}>;

type Sums = Readonly<{
  input: number;
  output: number;
  reasoning: number;
  /** Of the reading that does not count, where there are two; null: there is one. */
  disputed: number | null;
}>;

/**
 * What is part of what. Some count reasoning only in the total, others what a cache had. Where a report contradicts
 * itself, the smaller reading counts, and never more than the total that it names.
 */
export function toSums({ input, output, total, cache, reasoning }: ReportedCounts): Sums {
  const sum = input + output;
  // Its output is then estimated.
  if (sum === 0) return { input: total, output: 0, reasoning: 0, disputed: null };
  if (total === 0) {
    const most = Math.max(output, reasoning);
    const isDisputed = cache > input || reasoning > output;
    return {
      input,
      output: most,
      reasoning,
      disputed: isDisputed ? sum + cache + reasoning : null,
    };
  }
  const hidden = total - sum;
  if (hidden < 0) {
    // What the cache had was added to a prompt that has it already; or else the reply is smaller, which costs the least.
    const isTwice = cache > 0 && -hidden === cache;
    const most = isTwice ? input - cache : input;
    const left = most <= total ? most : Math.max(0, total - output);
    return { input: left, output: total - left, reasoning, disputed: sum };
  }
  // Bedrock’s total has what the cache had, beside the prompt (Portkey 1211).
  if (cache > 0 && hidden === cache && hidden !== reasoning) {
    return { input: input + hidden, output, reasoning, disputed: null };
  }
  // What the named reasoning leaves of it are prompts of the service’s tools, as of Gemini’s searches (new-api 2935).
  const hiddenThought = reasoning > output ? reasoning : 0;
  const ofTools = reasoning > 0 && hidden > reasoning ? hidden - hiddenThought : 0;
  const thought = hidden - ofTools;
  const most = output + thought;
  const isDisputed = cache > input + ofTools || reasoning > most;
  return {
    input: input + ofTools,
    output: most,
    reasoning: Math.max(reasoning, thought),
    disputed: isDisputed ? sum + cache + reasoning : null,
  };
}

/** Parts are no larger than what they are part of. */
export function toConsistent(report: Report): TokenUsage {
  const { inputTokens, outputTokens, toolCalls, costUsd, disputedTokens } = report;
  const { serviceTier, speed } = report;
  const cached = Math.min(report.cachedInputTokens, inputTokens);
  const written = Math.min(report.cacheWriteTokens, inputTokens - cached);
  const hour = Math.min(report.cacheWriteHourTokens, written);
  const audio = Math.min(report.audioTokens, inputTokens);
  const cachedAudio = Math.min(report.cachedAudioTokens, audio, cached);
  const image = Math.min(report.imageTokens, inputTokens - audio);
  const imageOutput = Math.min(report.imageOutputTokens, outputTokens);
  const audioOutput = Math.min(report.audioOutputTokens, outputTokens - imageOutput);
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens: cached,
    ...(written > 0 && { cacheWriteTokens: written }),
    ...(hour > 0 && { cacheWriteHourTokens: hour }),
    ...(audio > 0 && { audioTokens: audio }),
    ...(cachedAudio > 0 && { cachedAudioTokens: cachedAudio }),
    ...(image > 0 && { imageTokens: image }),
    ...(imageOutput > 0 && { imageOutputTokens: imageOutput }),
    ...(audioOutput > 0 && { audioOutputTokens: audioOutput }),
    ...(toolCalls.size > 0 && { toolCalls }),
    ...(disputedTokens !== undefined && { disputedTokens }),
    ...(costUsd !== undefined && { costUsd }),
    ...(serviceTier !== undefined && { serviceTier }),
    ...(speed !== undefined && { speed }),
    reasoningTokens: Math.min(report.reasoningTokens, outputTokens),
    isEstimated: false,
  };
}

export const noCalls: ToolCalls = new Map();

/** Tokens of kinds that only some services report. */
const noParts = {
  cacheWriteTokens: 0,
  cacheWriteHourTokens: 0,
  audioTokens: 0,
  cachedAudioTokens: 0,
  imageTokens: 0,
  audioOutputTokens: 0,
  imageOutputTokens: 0,
} as const satisfies Partial<Report>;

/** A usage with all fields of a report. */
export function toReport(usage: TokenUsage): Report {
  const { costUsd, serviceTier, speed, disputedTokens, toolCalls = noCalls } = usage;
  return { ...noParts, ...usage, toolCalls, costUsd, serviceTier, speed, disputedTokens };
}

const partNames = Object.keys(noParts) as (keyof typeof noParts)[];
/** What a report may count several times, as the reply goes on. */
const countNames = ['outputTokens', 'cachedInputTokens', 'reasoningTokens', ...partNames] as const;

/** The highest of each field of two reports about the same reply; the prompt and the tier of the later one. */
export function mergeUsage(a: TokenUsage | null, b: TokenUsage | null): TokenUsage | null {
  if (a === null || b === null) return a ?? b;
  const merged = toReport(b);
  const counts: { -readonly [name in (typeof countNames)[number]]: number } = merged;
  for (const name of countNames) counts[name] = Math.max(a[name] ?? 0, counts[name]);
  return toConsistent({
    ...merged,
    // A server may begin with an estimate.
    inputTokens: b.inputTokens || a.inputTokens,
    toolCalls: toHighestCalls(a.toolCalls, b.toolCalls),
    disputedTokens: toHighest(a.disputedTokens, b.disputedTokens),
    costUsd: toHighest(a.costUsd, b.costUsd),
    serviceTier: b.serviceTier ?? a.serviceTier,
    speed: b.speed ?? a.speed,
  });
}

function toHighest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** The highest of each count. */
function toHighestCalls(a = noCalls, b = noCalls): ToolCalls {
  if (a.size === 0 || b.size === 0) return a.size === 0 ? b : a;
  const names = new Set([...a.keys(), ...b.keys()]);
  return new Map([...names].map((name) => [name, Math.max(a.get(name) ?? 0, b.get(name) ?? 0)]));
}

/** If the upstream reported none. */
export function toEstimatedUsage(inputTokens: number, outputTokens: number): TokenUsage {
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    seenOutputTokens: outputTokens,
    isEstimated: true,
  };
}

/**
 * A usage whose prompt is an estimate: of so many tokens at least, of which some are sound, and all are written into a
 * cache if the request says so.
 */
export function withSentPrompt(
  usage: TokenUsage,
  promptTokens: number,
  { audioTokens, cached }: Pick<MediaCount, 'audioTokens' | 'cached'>,
): TokenUsage {
  const inputTokens = Math.max(usage.inputTokens, promptTokens);
  return {
    ...usage,
    inputTokens,
    ...(audioTokens > 0 && { audioTokens }),
    ...(cached !== 'not' && { cacheWriteTokens: inputTokens }),
    ...(cached === 'hour' && { cacheWriteHourTokens: inputTokens }),
    isEstimated: true,
  };
}

type ShownUsage = Readonly<{ inputTokens: number; outputTokens: number; toolCalls?: ToolCalls }>;

/**
 * A report with estimates of what it lacks: an input is never empty. The output is at least its estimate, which
 * is 0 where the report is all that counts. Calls of tools that it does not count are those that the reply shows.
 */
export function completeUsage(reported: TokenUsage | null, shown: ShownUsage): TokenUsage {
  const { toolCalls = noCalls } = shown;
  const usage = completeTokens(reported, shown);
  if (toolCalls.size === 0) return usage;
  const counted = reported?.toolCalls ?? noCalls;
  const isAll = shown.outputTokens === 0;
  const done = isAll ? new Map([...toolCalls, ...counted]) : toHighestCalls(toolCalls, counted);
  return { ...usage, toolCalls: done };
}

function completeTokens(reported: TokenUsage | null, estimate: ShownUsage): TokenUsage {
  if (reported === null) return toEstimatedUsage(estimate.inputTokens, estimate.outputTokens);
  // Where it contradicts itself, the smaller reading counts, but no prompt is smaller than its estimate.
  const isDisputed = reported.disputedTokens !== undefined;
  const least = isDisputed || reported.inputTokens === 0 ? estimate.inputTokens : 0;
  const inputTokens = Math.max(reported.inputTokens, least);
  const outputTokens = Math.max(reported.outputTokens, estimate.outputTokens);
  const isEstimated =
    inputTokens !== reported.inputTokens || outputTokens !== reported.outputTokens;
  const seenOutputTokens = estimate.outputTokens;
  return isEstimated
    ? { ...reported, inputTokens, outputTokens, seenOutputTokens, isEstimated }
    : reported;
}
