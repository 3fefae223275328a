/** A validator for the Messages streams that clients receive. */

type Fields = Readonly<Record<string, unknown>>;

type Block = { type: string; text: string; id?: string; name?: string; signature: string };

/** The content of a stream, and every rule for streams that it breaks. */
export type MessagesStreamReport = Readonly<{
  problems: readonly string[];
  types: readonly string[];
  blocks: readonly Readonly<Block>[];
  text: string;
  thinking: string;
  toolCalls: readonly Readonly<{ id: string; name: string; arguments: string }>[];
  /** Of `message_start`. */
  message: Fields;
  stopReason: unknown;
  stopSequence: unknown;
  usage: Fields;
  /** The fields of the `error` event, if there was one. */
  error: Fields | null;
}>;

const messageFields = 'id type role model content stop_reason stop_sequence usage'.split(' ');
const deltaFields: Readonly<Record<string, readonly [block: string, field: string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  input_json_delta: ['tool_use', 'partial_json'],
};

/** Parses a client's stream, and checks the rules of Messages streams. */
export function examineMessagesStream(stream: string): MessagesStreamReport {
  const problems: string[] = [];
  const expect = (isTrue: unknown, problem: string) => isTrue || problems.push(problem);
  const frames = stream.split('\n\n');
  expect(frames.pop() === '', 'the last frame lacks its blank line');
  const types: string[] = [];
  const blocks: Block[] = [];
  let open: Block | null = null;
  let message: Fields = {};
  let delta: Fields = {};
  let usage: Fields = {};
  let error: Fields | null = null;
  for (const frame of frames) {
    const [, name = '', data = '{}'] = /^event: (\w+)\ndata: ([^\r\n]+)$/.exec(frame) ?? [];
    expect(name !== '', `not an event: ${frame}`);
    const event: Fields = JSON.parse(data);
    expect(event.type === name, `${name} has the type ${event.type}`);
    const last = types.at(-1);
    expect(last !== 'message_stop' && last !== 'error', `${name} follows the end`);
    expect((name === 'message_start') === (types.length === 0) || name === 'error', 'no start');
    types.push(name);
    switch (name) {
      case 'message_start':
        message = toFields(event.message);
        for (const field of messageFields) expect(field in message, `the message lacks ${field}`);
        expect(Array.isArray(message.content) && message.content.length === 0, 'content at first');
        expect(typeof message.id === 'string' && message.id !== '', 'the message lacks its id');
        break;
      case 'content_block_start': {
        const block = toFields(event.content_block);
        expect(open === null, 'a block starts while another is open');
        expect(event.index === blocks.length, 'a block has the wrong index');
        expect(last !== 'message_delta', 'a block follows the stop reason');
        if (block.type === 'tool_use') {
          expect(block.id && block.name, 'a call lacks its id or name');
          expect(JSON.stringify(block.input) === '{}', 'a call has input at first');
        }
        open = { ...block, type: String(block.type), text: '', signature: '' };
        blocks.push(open);
        break;
      }
      case 'content_block_delta': {
        const piece = toFields(event.delta);
        expect(open !== null && event.index === blocks.length - 1, 'a delta of no open block');
        if (piece.type === 'signature_delta') {
          expect(open?.type === 'thinking', 'a signature outside of thinking');
          if (open !== null) open.signature += String(piece.signature);
          break;
        }
        const [type, field] = deltaFields[String(piece.type)] ?? ['', ''];
        expect(open?.type === type, `${piece.type} in another block`);
        if (open !== null) open.text += String(piece[field]);
        break;
      }
      case 'content_block_stop':
        expect(open !== null && event.index === blocks.length - 1, 'a stop of no open block');
        open = null;
        break;
      case 'message_delta':
        expect(open === null, 'the reply ends within a block');
        delta = toFields(event.delta);
        usage = toFields(event.usage);
        expect(typeof delta.stop_reason === 'string', 'there is no stop reason');
        expect(Number.isInteger(usage.output_tokens), 'there is no output count');
        break;
      case 'message_stop':
        expect(last === 'message_delta', 'it stops without a reason');
        break;
      case 'error':
        error = toFields(event.error);
        expect(Object.keys(error).sort().join() === 'message,type', 'an error has other fields');
        break;
      default:
        expect(name === 'ping', `an unknown event: ${name}`);
    }
  }
  expect(['message_stop', 'error'].includes(types.at(-1) ?? ''), 'the stream has no end');
  const textOf = (type: string) =>
    blocks.flatMap((block) => (block.type === type ? [block.text] : [])).join('');
  return {
    problems,
    types,
    blocks,
    message,
    usage,
    error,
    text: textOf('text'),
    thinking: textOf('thinking'),
    toolCalls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id = '', name = '', text }) => ({ id, name, arguments: text })),
    stopReason: delta.stop_reason ?? null,
    stopSequence: delta.stop_sequence ?? null,
  };
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
