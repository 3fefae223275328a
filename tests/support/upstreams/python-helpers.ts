/**
 * The rules by which openai-python’s helpers (`chat.completions.stream`, `responses.stream`) put a stream together, as its
 * documentation and its source describe them: what breaks one of them is an exception there.
 */

type Json = Readonly<Record<string, unknown>>;

function readData(stream: string): readonly Json[] {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}

/** The choices of a chat stream, each delta added to what came before. @throws TypeError where the helper would */
export function accumulateChat(stream: string): readonly Json[] {
  const choices: Json[] = [];
  for (const chunk of readData(stream)) {
    if (chunk.error !== undefined) throw new TypeError('an error');
    for (const { index, delta, finish_reason: reason } of toList(chunk.choices)) {
      if (typeof index !== 'number' || index > choices.length) throw new TypeError('no choice');
      const known = choices[index] ?? {};
      const message = accumulate(toJson(known.message), toJson(delta));
      choices[index] = { message, finish_reason: reason ?? known.finish_reason };
      for (const call of toList(toJson(delta).tool_calls)) {
        if (toList(message.tool_calls)[Number(call.index)] === undefined) {
          throw new TypeError('no call at the index');
        }
      }
    }
  }
  return choices;
}

/** Texts are joined and numbers added; an `index` and a `type` are replaced; lists are of objects with an index. */
function accumulate(known: Json, delta: Json): Json {
  const result: Record<string, unknown> = { ...known };
  for (const [name, value] of Object.entries(delta)) {
    const before = result[name] ?? null;
    if (before === null || name === 'index' || name === 'type') result[name] = value;
    else if (typeof before === 'string') result[name] = before + String(value ?? '');
    else if (typeof before === 'number') result[name] = before + Number(value);
    else if (Array.isArray(before)) result[name] = accumulateList(before, value);
    else result[name] = accumulate(toJson(before), toJson(value));
  }
  return result;
}

function accumulateList(before: readonly unknown[], value: unknown): readonly unknown[] {
  const list = [...before];
  for (const entry of toList(value)) {
    if (typeof entry.index !== 'number') throw new TypeError('an entry without an index');
    if (entry.index > list.length) throw new TypeError('an index beyond the list');
    list[entry.index] = accumulate(toJson(list[entry.index]), entry);
  }
  return list;
}

/** The output of a Responses stream, put together by its events. @throws TypeError where the helper would */
export function accumulateResponse(stream: string): readonly Json[] {
  const [created, ...events] = readData(stream);
  if (created?.type !== 'response.created') throw new TypeError('no response.created at first');
  const output: Json[] = [];
  let final: Json | null = null;
  const change = (event: Json, toItem: (item: Json) => Json) => {
    const at = Number(event.output_index);
    const item = output[at];
    if (item === undefined) throw new TypeError(`no item at the index of ${event.type}`);
    output[at] = toItem(item);
  };
  for (const event of events) {
    switch (event.type) {
      case 'response.output_item.added':
        output.push(toJson(event.item));
        break;
      case 'response.content_part.added':
        change(event, (item) => ({ ...item, content: [...toList(item.content), event.part] }));
        break;
      case 'response.output_text.delta':
        change(event, (item) => addText(item, event));
        break;
      case 'response.function_call_arguments.delta':
        change(event, (item) => {
          if (item.type !== 'function_call') throw new TypeError('arguments of no function');
          return { ...item, arguments: String(item.arguments) + String(event.delta) };
        });
        break;
      case 'response.completed':
        final = toJson(event.response);
        break;
      case 'error':
        throw new TypeError('an error');
    }
  }
  if (final === null) throw new TypeError('no response.completed');
  return output;
}

function addText(item: Json, { content_index: at, delta }: Json): Json {
  const content = toList(item.content);
  const part = content[Number(at)];
  if (part?.type !== 'output_text') throw new TypeError('no text at the index');
  const added = { ...part, text: String(part.text) + String(delta) };
  return { ...item, content: content.with(Number(at), added) };
}

function toJson(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function toList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
