import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { FunctionTool, ResponseInput } from 'openai/resources/responses/responses';
import {
  model as demoModel,
  imagePrompt,
  imageUrl,
  nextPrompt,
  prompt,
  thinkPrompt,
  tripPrompt,
  tripSchema,
  weatherParameters,
  weatherPrompt,
  weatherTool,
} from '../client-fixtures.ts';
import { type Access, type Library, watchWeather } from './library.ts';

export function openOpenAi({ baseUrl, key, options }: Access): OpenAI {
  return new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0, ...options });
}

const { name, description, schema } = weatherTool;
const toMessages = (content: string): ChatCompletionMessageParam[] => [{ role: 'user', content }];

export const openAiChat: Library = {
  client: 'openai’s chat',
  documented: 'OpenAI SDK',
  api: 'chat',
  async reply(access, model, maxTokens) {
    const { choices, usage } = await openOpenAi(access).chat.completions.create({
      model,
      messages: toMessages(prompt),
      ...(maxTokens && { max_completion_tokens: maxTokens }),
    });
    return {
      text: choices[0]?.message.content ?? '',
      isCut: choices[0]?.finish_reason === 'length',
      tokensIn: usage?.prompt_tokens ?? 0,
      tokensOut: usage?.completion_tokens ?? 0,
    };
  },
  async *stream(access, model, signal) {
    const messages = toMessages(prompt);
    const stream = openOpenAi(access).chat.completions.stream({ model, messages }, { signal });
    for await (const { choices } of stream) yield choices[0]?.delta.content ?? '';
  },
  async runTools(access, isStream, question = weatherPrompt) {
    const { completions } = openOpenAi(access).chat;
    const { cities, run } = watchWeather();
    const weather = {
      type: 'function',
      function: {
        name,
        description,
        parameters: weatherParameters,
        parse: (text: string) => schema.parse(JSON.parse(text)),
        function: run,
      },
    } as const;
    const { model = demoModel } = access;
    const request = { model, messages: toMessages(question), tools: [weather] };
    const runner = isStream
      ? completions.runTools({ ...request, stream: true })
      : completions.runTools(request);
    return { cities, text: (await runner.finalContent()) ?? '' };
  },
  async planTrip(access, isStream) {
    const { completions } = openOpenAi(access).chat;
    const request = {
      model: access.model ?? demoModel,
      messages: toMessages(tripPrompt),
      response_format: zodResponseFormat(tripSchema, 'trip'),
    };
    const { choices } = await (isStream
      ? completions.stream(request).finalChatCompletion()
      : completions.parse(request));
    return choices[0]?.message.parsed;
  },
  async converse(access, isStream) {
    const { completions } = openOpenAi(access).chat;
    const send = async (messages: ChatCompletionMessageParam[]) => {
      const request = { model: demoModel, messages };
      const { choices } = await (isStream
        ? completions.stream(request).finalChatCompletion()
        : completions.create(request));
      return choices[0]?.message ?? { role: 'assistant', content: '' };
    };
    const first = await send(toMessages(prompt));
    const turns = [...toMessages(prompt), first, ...toMessages(nextPrompt)];
    return (await send([{ role: 'developer', content: 'Be brief.' }, ...turns])).content ?? '';
  },
  async look(access) {
    const content = [
      { type: 'text' as const, text: imagePrompt },
      { type: 'image_url' as const, image_url: { url: imageUrl, detail: 'low' as const } },
    ];
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content }];
    const { choices } = await openOpenAi(access).chat.completions.create({
      model: access.model ?? demoModel,
      messages,
    });
    return choices[0]?.message.content ?? '';
  },
  async think({ model = demoModel, ...access }) {
    const request = { model, messages: toMessages(thinkPrompt), reasoning_effort: 'high' as const };
    const stream = openOpenAi(access).chat.completions.stream(request);
    const { choices } = await stream.finalChatCompletion();
    return { thinking: null, text: choices[0]?.message.content ?? '' };
  },
};

const toInput = (content: string): ResponseInput => [{ role: 'user', content }];
const weather: FunctionTool = {
  type: 'function',
  name,
  description,
  parameters: weatherParameters,
  strict: true,
};

/** The client's output and input types differ only in items that do not occur here. */
function toTurns({ output }: OpenAI.Responses.Response): ResponseInput {
  return output.filter(
    ({ type }) => type === 'message' || type === 'function_call' || type === 'reasoning',
  ) as ResponseInput;
}

/** Sends a request in one of both ways. */
function respond(
  access: Access,
  isStream: boolean,
  input: ResponseInput,
  tools: FunctionTool[] = [],
): Promise<OpenAI.Responses.Response> {
  const { responses } = openOpenAi(access);
  const { model = demoModel } = access;
  const request = {
    model,
    instructions: 'Be brief.',
    input,
    tools,
    store: false,
    include: ['reasoning.encrypted_content' as const],
  };
  return isStream ? responses.stream(request).finalResponse() : responses.create(request);
}

export const openAiResponses: Library = {
  client: 'openai’s responses',
  documented: 'OpenAI SDK',
  api: 'responses',
  async reply(access, model, maxTokens) {
    const { output_text, incomplete_details, usage } = await openOpenAi(access).responses.create({
      model,
      input: prompt,
      ...(maxTokens && { max_output_tokens: maxTokens }),
    });
    return {
      text: output_text,
      isCut: incomplete_details?.reason === 'max_output_tokens',
      tokensIn: usage?.input_tokens ?? 0,
      tokensOut: usage?.output_tokens ?? 0,
    };
  },
  async *stream(access, model, signal) {
    const stream = openOpenAi(access).responses.stream({ model, input: prompt }, { signal });
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') yield event.delta;
    }
  },
  async runTools(access, isStream, question = weatherPrompt) {
    const { cities, run } = watchWeather();
    let turns = toInput(question);
    for (;;) {
      const reply = await respond(access, isStream, turns, [weather]);
      const results = reply.output
        .filter((item) => item.type === 'function_call')
        .map(({ call_id, arguments: input }) => ({
          type: 'function_call_output' as const,
          call_id,
          output: run(schema.parse(JSON.parse(input))),
        }));
      if (results.length === 0) return { cities, text: reply.output_text };
      turns = [...turns, ...toTurns(reply), ...results];
    }
  },
  async planTrip(access, isStream) {
    const { responses } = openOpenAi(access);
    const text = { format: zodTextFormat(tripSchema, 'trip') };
    const request = { model: access.model ?? demoModel, input: tripPrompt, text };
    const { output_parsed } = await (isStream
      ? responses.stream(request).finalResponse()
      : responses.parse(request));
    return output_parsed;
  },
  async converse(access, isStream) {
    const first = await respond(access, isStream, toInput(prompt));
    const turns = [...toInput(prompt), ...toTurns(first), ...toInput(nextPrompt)];
    return (await respond(access, isStream, turns)).output_text;
  },
  async look(access) {
    const content = [
      { type: 'input_text' as const, text: imagePrompt },
      { type: 'input_image' as const, image_url: imageUrl, detail: 'low' as const },
    ];
    return (await respond(access, false, [{ role: 'user', content }])).output_text;
  },
  async think({ model = demoModel, ...access }) {
    const reasoning = { effort: 'high' as const, summary: 'auto' as const };
    const stream = openOpenAi(access).responses.stream({ model, input: thinkPrompt, reasoning });
    let thinking = '';
    for await (const event of stream) {
      if (event.type === 'response.reasoning_summary_text.delta') thinking += event.delta;
      if (event.type === 'response.reasoning_text.delta') thinking += event.delta;
    }
    return { thinking, text: (await stream.finalResponse()).output_text };
  },
};
