import { isDeepStrictEqual } from 'node:util';

/** A validator for the Responses streams that clients receive. */

type Fields = Readonly<Record<string, unknown>>;

type Part = { type: string; text: string; isTextDone: boolean };

type Item = {
  id: unknown;
  type: unknown;
  /** Completed parts. */
  parts: Part[];
  part: Part | null;
  arguments: string;
  isArgumentsDone: boolean;
};

/** The content of a stream, and every rule for streams that it breaks. */
export type ResponsesStreamReport = Readonly<{
  problems: readonly string[];
  types: readonly string[];
  /** Of all messages, one after another. */
  text: string;
  refusal: string;
  toolCalls: readonly Readonly<{ id: unknown; name: unknown; arguments: unknown }>[];
  /** The response of the last event. */
  response: Fields;
  /** The fields of the `error` event, if there was one. */
  error: Fields | null;
}>;

const responseFields =
  'id object created_at completed_at status background error incomplete_details instructions max_output_tokens max_tool_calls metadata model output parallel_tool_calls previous_response_id prompt_cache_key reasoning safety_identifier service_tier store temperature text tool_choice tools top_logprobs top_p presence_penalty frequency_penalty truncation usage user'.split(
    ' ',
  );
const numbers = ['temperature', 'top_p', 'top_logprobs', 'presence_penalty', 'frequency_penalty'];

/** The differences between an object and the documented response. */
export function findResponseProblems(response: Fields): string[] {
  return [
    ...responseFields.filter((name) => !(name in response)).map((name) => `response lacks ${name}`),
    ...numbers
      .filter((name) => typeof response[name] !== 'number')
      .map((name) => `response.${name} is no number`),
    ...(Number.isInteger(response.created_at) ? [] : ['response.created_at is no integer']),
  ];
}

/** Parses a client's stream, and checks the rules of Responses streams. */
export function examineResponsesStream(stream: string): ResponsesStreamReport {
  const problems: string[] = [];
  const expect = (isTrue: unknown, problem: string) => isTrue || problems.push(problem);
  const frames = stream.split('\n\n');
  expect(frames.pop() === '', 'the last frame lacks its blank line');
  expect(frames.pop() === 'data: [DONE]', 'the last frame is not [DONE]');

  const types: string[] = [];
  const done: Fields[] = [];
  let response: Fields = {};
  let responseId: unknown;
  let error: Fields | null = null;
  let open: Item | null = null;
  let isTerminated = false;

  function takeItemEvent(type: string, event: Fields): void {
    // An unknown event of the response itself.
    if (event.output_index === undefined && event.item_id === undefined) return;
    if (type === 'response.output_item.added') {
      const item = toFields(event.item);
      expect(open === null, 'an item is added while another is open');
      expect(event.output_index === done.length, 'an item has the wrong index');
      expect(typeof item.id === 'string' && item.id !== '', 'an item lacks its id');
      expect(!done.some(({ id }) => id === item.id), 'an id is used twice');
      expect(
        item.type === 'reasoning' || item.status === 'in_progress',
        'an item is not in progress',
      );
      if (item.type === 'message')
        expect(isDeepStrictEqual(item.content, []), 'content is not empty');
      if (item.type === 'message') expect(item.role === 'assistant', 'a message lacks its role');
      const initial = typeof item.arguments === 'string' ? item.arguments : '';
      open = {
        id: item.id,
        type: item.type,
        parts: [],
        part: null,
        arguments: initial,
        isArgumentsDone: false,
      };
      return;
    }
    if (open === null) {
      problems.push(`${type} without an open item`);
      return;
    }
    expect(event.output_index === done.length, `${type} has the wrong output_index`);
    if (type !== 'response.output_item.done') {
      expect(event.item_id === open.id, `${type} has another item_id`);
    }
    if ('content_index' in event) {
      expect(event.content_index === open.parts.length, `${type} has the wrong content_index`);
    }
    switch (type) {
      case 'response.content_part.added': {
        const part = toFields(event.part);
        expect(open.part === null, 'a part is added while another is open');
        expect(part.text === '' || part.refusal === '', 'a part is not empty at first');
        if (part.type === 'output_text') expect(hasLists(part), 'a part lacks its lists');
        open.part = { type: String(part.type), text: '', isTextDone: false };
        return;
      }
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        expect(event.delta !== '', 'a delta is empty');
        expect(type.includes('refusal') || Array.isArray(event.logprobs), 'a delta lacks logprobs');
        expect(
          open.part?.type === (type.includes('refusal') ? 'refusal' : 'output_text'),
          `${type} in another part`,
        );
        expect(open.part?.isTextDone === false, 'a delta comes after its text was done');
        if (open.part !== null) open.part.text += String(event.delta);
        return;
      case 'response.reasoning_text.delta':
        expect(open.part?.type === 'reasoning_text', `${type} in another part`);
        if (open.part !== null) open.part.text += String(event.delta);
        return;
      case 'response.reasoning_text.done':
      case 'response.output_text.done':
      case 'response.refusal.done': {
        const text = event.text ?? event.refusal;
        expect(text === open.part?.text, 'the final text differs from the deltas');
        if (open.part !== null) open.part.isTextDone = true;
        return;
      }
      case 'response.content_part.done':
        expect(isPart(event.part, open.part), 'the part that is done is not that of the deltas');
        expect(open.part?.isTextDone, 'a part is done before its text');
        if (open.part !== null) open.parts.push(open.part);
        open.part = null;
        return;
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        expect(event.delta !== '', 'a delta is empty');
        expect(!open.isArgumentsDone, 'a delta comes after the arguments were done');
        open.arguments += String(event.delta);
        return;
      case 'response.function_call_arguments.done':
      case 'response.custom_tool_call_input.done':
        expect(
          (event.arguments ?? event.input) === open.arguments,
          'arguments are not those of the deltas',
        );
        open.isArgumentsDone = true;
        return;
      case 'response.output_item.done': {
        const item = toFields(event.item);
        expect(item.id === open.id && item.type === open.type, 'an item is done under another id');
        expect(open.part === null, 'an item is done before its part');
        if (open.type === 'message') {
          const content = Array.isArray(item.content) ? item.content : [];
          expect(
            content.length > 0 && content.length === open.parts.length,
            'a message has other parts',
          );
          expect(
            open.parts.every((part, index) => isPart(content[index], part)),
            'a message has other texts',
          );
        }
        if (open.type === 'function_call' || open.type === 'custom_tool_call') {
          expect(open.isArgumentsDone, 'a call is done before its arguments');
          expect((item.arguments ?? item.input) === open.arguments, 'a call has other arguments');
          expect(item.call_id && item.name, 'a call lacks its call_id or name');
        }
        expect(
          item.status === 'completed' || item.status === 'incomplete' || item.type === 'reasoning',
          'an item is not done',
        );
        done.push(item);
        open = null;
        return;
      }
      default:
        expect(/^response\.reasoning_/.test(type), `unknown event ${type}`);
    }
  }

  for (const [number, frame] of frames.entries()) {
    const [, name = '', data = '{}'] = /^event: (\S+)\ndata: ([^\r\n]+)$/.exec(frame) ?? [];
    expect(name !== '', `a frame is not one event line and one data line: ${frame}`);
    const event = toFields(JSON.parse(data));
    types.push(name);
    expect(event.type === name, `the event ${name} says that it is ${event.type}`);
    expect(event.sequence_number === number, `event ${number} has number ${event.sequence_number}`);
    expect(!isTerminated, `${name} follows the terminal event`);
    if (number < 2)
      expect(
        name === ['response.created', 'response.in_progress'][number],
        `event ${number} is ${name}`,
      );
    if (name === 'error') {
      expect(error === null, 'there are two errors');
      error = event;
      const { code, message, param } = event;
      const nested = toFields(event.error);
      expect(
        isDeepStrictEqual({ code, message, param, type: nested.type }, nested),
        'the error differs between the error event and the response',
      );
      continue;
    }
    expect(error === null || name === 'response.failed', `${name} follows the error`);
    if ('response' in event) {
      response = toFields(event.response);
      responseId ??= response.id;
      expect(response.id === responseId, 'the id of the response changes');
      problems.push(...findResponseProblems(response));
      isTerminated = number > 1;
      const status = name === 'response.created' ? 'in_progress' : name.slice('response.'.length);
      expect(response.status === status, `${name} has the status ${response.status}`);
      if (!isTerminated)
        expect(
          isDeepStrictEqual(response.output, []) && response.usage === null,
          `${name} has output`,
        );
      if (name === 'response.failed') {
        expect(error !== null, 'a failure lacks its error event');
        expect(typeof toFields(response.error).message === 'string', 'a failure lacks its message');
      } else if (isTerminated) {
        expect(open === null, 'the response ends while an item is open');
        expect(done.length > 0, 'the response has no items');
        expect(isDeepStrictEqual(response.output, done), 'the output is not what was streamed');
        expect(
          Number.isInteger(toFields(response.usage).total_tokens),
          'the response has no usage',
        );
      }
    } else {
      takeItemEvent(name, event);
    }
  }
  expect(isTerminated, 'there is no terminal event');
  const output = Array.isArray(response.output) ? response.output.map(toFields) : [];
  return { problems, types, response, error, ...summarise(output) };
}

/** Texts and calls of a response’s output. */
export function summarise(output: readonly Fields[]) {
  const parts = output.flatMap(({ content }) =>
    Array.isArray(content) ? content.map(toFields) : [],
  );
  return {
    text: parts.map(({ text }) => text ?? '').join(''),
    refusal: parts.map(({ refusal }) => refusal ?? '').join(''),
    toolCalls: output
      .filter(({ type }) => type === 'function_call' || type === 'custom_tool_call')
      .map(({ call_id: id, name, arguments: written, input }) => ({
        id,
        name,
        arguments: written ?? input,
      })),
  };
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function hasLists(part: Fields): boolean {
  return Array.isArray(part.annotations) && Array.isArray(part.logprobs);
}

function isPart(shown: unknown, part: Part | null): boolean {
  const { type, text, refusal, ...lists } = toFields(shown);
  const isWhole = type !== 'output_text' || hasLists(lists);
  return isWhole && part !== null && type === part.type && (text ?? refusal) === part.text;
}
