/** What an upstream counts, and charges for. Parts of `input`: cached, written. Part of `output`: reasoning, which is hidden. */
export type Counts = Readonly<{
  input: number;
  output: number;
  cached?: number;
  written?: number;
  /** Part of `written`. */
  writtenHour?: number;
  reasoning?: number;
  searches?: number;
  /** What the upstream’s own tools cost, US dollars. */
  callsUsd?: number;
  images?: number;
  /** Parts of `input`: sound, which the cache has only where `cached` leaves no other place, and pictures. */
  audio?: number;
  picture?: number;
  /** Parts of `output`, which are not text. */
  audioOutput?: number;
  pictureOutput?: number;
}>;

export type Api = 'chat' | 'responses' | 'messages';
type Json = Readonly<Record<string, unknown>>;

/** A reply, and how it is told. */
export type BilledReply = Readonly<{
  counts: Counts;
  /** Changes the usage that is reported; null: none is. */
  report?: (usage: Json, api: Api) => Json | null;
  /** A usage that is reported before the others. */
  earlier?: Readonly<{ at: 'start' | 'half'; counts: Counts }>;
  /** Whether usage comes at the end, too. Default: true. */
  hasFinalUsage?: boolean;
  finish?: 'stop' | 'length' | 'content_filter' | 'tool_calls';
  /** `error…`: it fails, and its usage comes before that, in the same event, or at once after it. Default: `done`. */
  ending?:
    | 'done'
    | 'error'
    | 'error-with-usage'
    | 'error-then-usage'
    | 'no-finish'
    | 'no-done'
    | 'usage-after-done';
  choices?: number;
  /** Items or blocks of the upstream's own tools, before the text. */
  hosted?: readonly Json[];
  /** No choice, item or block at all. */
  isBare?: boolean;
  /** After the first half. */
  hasGarbage?: boolean;
  hasComments?: boolean;
}>;

/** What is written at once. */
export type Frame = Readonly<{
  text: string;
  /** Tokens of the reply in it. */
  tokens?: number;
  /** Usage in it. */
  reports?: Counts;
  /** An item or block of a tool in it. */
  hosted?: Json;
  /** Here clients leave and connections break. */
  isHalf?: boolean;
  isGarbage?: boolean;
}>;

/** Four bytes, and one token. */
const token = ' abc';
/** The last token of the first half. */
export const halfToken = ' mid';
const framesOfText = 6;

const error = { type: 'server_error', code: 'server_error', message: 'It broke.' };

/** The reply as server-sent events. */
export function toFrames(api: Api, reply: BilledReply): readonly Frame[] {
  const { earlier, hasFinalUsage = true, ending = 'done', counts } = reply;
  const usage = hasFinalUsage ? toUsage(api, counts, reply.report) : null;
  const early = earlier === undefined ? null : toUsage(api, earlier.counts);
  const writer = writers[api](reply);
  const earlyFrame: Frame[] =
    early === null || earlier === undefined
      ? []
      : [{ text: writer.usage(early), reports: earlier.counts }];
  const texts = toPieces(reply).flatMap((piece, index) => [
    ...(reply.hasComments ? [{ text: ': WAIT\n\n' }] : []),
    { text: writer.delta(piece), tokens: piece.length / 4 },
    ...(index === framesOfText / 2 - 1 ? afterHalf() : []),
  ]);

  function afterHalf(): Frame[] {
    const half: Frame[] = [
      ...(earlier?.at === 'half' ? earlyFrame : []),
      { text: '', isHalf: true },
    ];
    return reply.hasGarbage ? [...half, { text: 'data: {no JSON\n\n', isGarbage: true }] : half;
  }

  const startCounts = api === 'messages' ? toStartCounts(reply) : null;
  const startUsage = startCounts && toUsage(api, startCounts, reply.report);
  return [
    {
      text: writer.start(startUsage),
      ...(startCounts !== null && startUsage !== null && { reports: startCounts }),
    },
    ...(earlier?.at === 'start' ? earlyFrame : []),
    ...(reply.hosted ?? []).map((item, index) => ({
      text: writer.hosted(item, index),
      hosted: item,
    })),
    ...(texts.length === 0 ? afterHalf() : texts),
    ...writer.end(usage, ending).map((text) => ({ text, reports: counts })),
  ].filter(({ text, ...frame }) => text !== '' || 'isHalf' in frame);
}

/** The reply as JSON. */
export function toJsonReply(api: Api, reply: BilledReply): Json {
  const usage = toUsage(api, reply.counts, reply.report);
  const text = toPieces(reply).join('');
  const body = reply.isBare ? toBareResult(api) : toResult(api, reply, text);
  return {
    ...body,
    ...(usage !== null && reply.hasFinalUsage !== false && { usage }),
    ...(reply.ending?.startsWith('error') &&
      (api === 'messages' ? { type: 'error', error } : { error })),
  };
}

/** The usage in an API's own format. */
export function toUsage(api: Api, counts: Counts, report?: BilledReply['report']): Json | null {
  const usage = formats[api](counts);
  return report === undefined ? usage : report(usage, api);
}

const formats: Readonly<Record<Api, (counts: Counts) => Json>> = {
  chat: (counts) => ({
    prompt_tokens: counts.input,
    completion_tokens: counts.output,
    total_tokens: counts.input + counts.output,
    prompt_tokens_details: toInputDetails(counts),
    completion_tokens_details: toOutputDetails(counts),
  }),
  responses: (counts) => ({
    input_tokens: counts.input,
    input_tokens_details: toInputDetails(counts),
    output_tokens: counts.output,
    output_tokens_details: toOutputDetails(counts),
    total_tokens: counts.input + counts.output,
  }),
  messages: ({ input, output, cached = 0, written = 0, writtenHour = 0, searches = 0 }) => ({
    input_tokens: input - cached - written,
    output_tokens: output,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    cache_creation: {
      ephemeral_5m_input_tokens: written - writtenHour,
      ephemeral_1h_input_tokens: writtenHour,
    },
    ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
  }),
};

function toInputDetails({ cached = 0, written = 0, audio = 0, picture = 0 }: Counts): Json {
  return {
    cached_tokens: cached,
    cache_write_tokens: written,
    audio_tokens: audio,
    image_tokens: picture,
  };
}

function toOutputDetails({ reasoning = 0, audioOutput = 0, pictureOutput = 0 }: Counts): Json {
  return {
    reasoning_tokens: reasoning,
    audio_tokens: audioOutput,
    image_tokens: pictureOutput,
  };
}

/** What `message_start` says: a reply that has just begun, unless this is the only report. */
function toStartCounts({ counts, earlier, hasFinalUsage = true }: BilledReply): Counts | null {
  if (earlier?.at === 'start') return earlier.counts;
  if (!hasFinalUsage && earlier === undefined) return null;
  const { searches: _, ...rest } = counts;
  return { ...rest, output: Math.min(1, counts.output) };
}

/** The text, in parts that are streamed. */
function toPieces({ counts, isBare = false, choices = 1 }: BilledReply): readonly string[] {
  const tokens = Math.floor((counts.output - (counts.reasoning ?? 0)) / choices);
  if (isBare || tokens < framesOfText) return [];
  return Array.from({ length: framesOfText }, (_, index) => {
    const count =
      Math.floor((tokens * (index + 1)) / framesOfText) -
      Math.floor((tokens * index) / framesOfText);
    const isLastOfHalf = index === framesOfText / 2 - 1;
    return isLastOfHalf ? token.repeat(count - 1) + halfToken : token.repeat(count);
  }).map((piece) => piece.repeat(choices));
}

type Writer = Readonly<{
  start: (usage: Json | null) => string;
  usage: (usage: Json) => string;
  hosted: (item: Json, index: number) => string;
  delta: (text: string) => string;
  end: (usage: Json | null, ending: BilledReply['ending']) => readonly string[];
}>;

const data = (value: Json) => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: Json) => `event: ${String(value.type)}\n${data(value)}`;
const done = 'data: [DONE]\n\n';

const writers: Readonly<Record<Api, (reply: BilledReply) => Writer>> = {
  chat: toChatWriter,
  responses: toResponsesWriter,
  messages: toMessagesWriter,
};

function toChatWriter({ finish = 'stop', choices = 1, isBare = false }: BilledReply): Writer {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const indexes = Array.from({ length: choices }, (_, index) => index);
  const chunk = (delta: Json, reason: string | null = null) =>
    data({
      ...head,
      choices: indexes.map((index) => ({ index, delta, finish_reason: reason })),
    });
  const isCall = finish === 'tool_calls';
  const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } };
  const usageChunk = (usage: Json) => data({ ...head, choices: [], usage });
  const withArguments = (text: string) => [{ index: 0, function: { arguments: text } }];
  return {
    start: () =>
      isBare
        ? ''
        : chunk({ role: 'assistant', content: '', ...(isCall && { tool_calls: [call] }) }),
    usage: usageChunk,
    hosted: () => '',
    delta(text) {
      const own = text.slice(0, text.length / choices);
      return chunk(isCall ? { tool_calls: withArguments(own) } : { content: own });
    },
    end(usage, ending) {
      const last = usage === null ? '' : usageChunk(usage);
      if (ending === 'error') return [last, data({ error }), done];
      if (ending === 'error-with-usage') return [data({ error, usage }), done];
      if (ending === 'error-then-usage') return [data({ error }) + last + done];
      const close = ending === 'no-finish' || isBare ? '' : chunk({}, finish);
      if (ending === 'usage-after-done') return [close + done + last];
      return [close, last, ending === 'no-done' ? '' : done];
    },
  };
}

function toResponsesWriter({ finish = 'stop', isBare = false, hosted = [] }: BilledReply): Writer {
  let sequence = 0;
  const next = (type: string, fields: Json) =>
    event({ type, sequence_number: sequence++, ...fields });
  const head = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', error: null };
  const isCall = finish === 'tool_calls';
  const item = isCall
    ? { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '' }
    : { type: 'message', id: 'msg_1', role: 'assistant', content: [] as Json[] };
  const at = { item_id: item.id, output_index: hosted.length };
  const part = { type: 'output_text', text: '', annotations: [] };
  let text = '';
  const toItem = () =>
    isCall
      ? { ...item, arguments: text, status: 'completed' }
      : { ...item, content: [{ ...part, text }], status: 'completed' };
  return {
    start() {
      const response = { ...head, status: 'in_progress', output: [], usage: null };
      const created = next('response.created', { response });
      if (isBare) return created;
      const added = next('response.output_item.added', {
        output_index: hosted.length,
        item,
      });
      if (isCall) return created + added;
      return (
        created + added + next('response.content_part.added', { ...at, content_index: 0, part })
      );
    },
    usage: (usage) =>
      next('response.in_progress', {
        response: { ...head, status: 'in_progress', output: [], usage },
      }),
    hosted(called, index) {
      // What a search is for is known at its end.
      const { action: _, ...begun } = called;
      const place = { output_index: index };
      const added = { ...place, item: { ...begun, status: 'in_progress' } };
      return (
        next('response.output_item.added', added) +
        next('response.output_item.done', { ...place, item: called })
      );
    },
    delta(piece) {
      text += piece;
      return isCall
        ? next('response.function_call_arguments.delta', { ...at, delta: piece })
        : next('response.output_text.delta', { ...at, content_index: 0, delta: piece });
    },
    end(usage, ending) {
      const output = isBare ? [] : [...hosted, toItem()];
      if (ending === 'no-finish') return [];
      if (ending === 'error' || ending === 'error-then-usage') {
        const response = { ...head, status: 'failed', error, output, usage };
        // As servers send it: at once.
        return [next('error', error) + next('response.failed', { response })];
      }
      if (ending === 'error-with-usage') return [next('error', { ...error, usage })];
      const isCut = finish === 'length' || finish === 'content_filter';
      const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter';
      const status = isCut ? 'incomplete' : 'completed';
      const details = isCut ? { incomplete_details: { reason } } : {};
      const closing = isBare
        ? ''
        : isCall
          ? next('response.function_call_arguments.done', { ...at, arguments: text })
          : next('response.output_text.done', { ...at, content_index: 0, text }) +
            next('response.content_part.done', {
              ...at,
              content_index: 0,
              part: { ...part, text },
            });
      return [
        closing,
        isBare
          ? ''
          : next('response.output_item.done', { output_index: hosted.length, item: toItem() }),
        next(`response.${status}`, { response: { ...head, status, ...details, output, usage } }),
      ];
    },
  };
}

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  content_filter: 'refusal',
  tool_calls: 'tool_use',
} as const;

function toMessagesWriter({ finish = 'stop', isBare = false, hosted = [] }: BilledReply): Writer {
  const isCall = finish === 'tool_calls';
  const block = isCall
    ? { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }
    : { type: 'text', text: '' };
  return {
    start(usage) {
      const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] };
      const begun = { ...message, stop_reason: null, stop_sequence: null };
      const start = event({
        type: 'message_start',
        message: { ...begun, ...(usage !== null && { usage }) },
      });
      if (isBare) return start;
      return (
        start + event({ type: 'content_block_start', index: hosted.length, content_block: block })
      );
    },
    hosted: (called, index) =>
      event({ type: 'content_block_start', index, content_block: called }) +
      event({ type: 'content_block_stop', index }),
    // The usage of `message_start` is the early one.
    usage: (usage) => event({ type: 'message_delta', delta: {}, usage }),
    delta: (text) =>
      event({
        type: 'content_block_delta',
        index: hosted.length,
        delta: isCall
          ? { type: 'input_json_delta', partial_json: text }
          : { type: 'text_delta', text },
      }),
    end(usage, ending) {
      const stop = isBare ? '' : event({ type: 'content_block_stop', index: hosted.length });
      if (ending === 'no-finish') return [stop];
      const delta = { stop_reason: stopReasons[finish], stop_sequence: null };
      const last = event({ type: 'message_delta', delta, ...(usage !== null && { usage }) });
      const failed = { type: 'error', error: { type: 'api_error', message: 'It broke.' } };
      const counted = usage === null ? '' : event({ type: 'message_delta', delta: {}, usage });
      if (ending === 'error') return [counted, event(failed)];
      if (ending === 'error-with-usage') return [event({ ...failed, usage })];
      if (ending === 'error-then-usage') return [event(failed) + counted];
      return [stop, last, ending === 'no-done' ? '' : event({ type: 'message_stop' })];
    },
  };
}

function toResult(
  api: Api,
  { finish = 'stop', choices = 1, hosted = [] }: BilledReply,
  text: string,
): Json {
  const isCall = finish === 'tool_calls';
  if (api === 'chat') {
    const own = text.slice(0, text.length / choices);
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: own } };
    const message = isCall
      ? { role: 'assistant', content: null, tool_calls: [call] }
      : { role: 'assistant', content: own };
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: Array.from({ length: choices }, (_, index) => ({
        index,
        message,
        finish_reason: finish,
      })),
    };
  }
  if (api === 'messages') {
    const block = isCall
      ? { type: 'tool_use', id: 'toolu_1', name: 'f', input: { text } }
      : { type: 'text', text };
    return {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [...hosted, block],
      stop_reason: stopReasons[finish],
      stop_sequence: null,
    };
  }
  const isCut = finish === 'length' || finish === 'content_filter';
  const item = isCall
    ? { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: text }
    : {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [] }],
      };
  const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter';
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'm',
    error: null,
    status: isCut ? 'incomplete' : 'completed',
    ...(isCut && { incomplete_details: { reason } }),
    output: [...hosted, { ...item, status: 'completed' }],
  };
}

function toBareResult(api: Api): Json {
  if (api === 'chat') return { ...toResult('chat', { counts: nothing }, ''), choices: [] };
  if (api === 'messages') return { ...toResult(api, { counts: nothing }, ''), content: [] };
  return { ...toResult(api, { counts: nothing }, ''), output: [] };
}

const nothing: Counts = { input: 0, output: 0 };
