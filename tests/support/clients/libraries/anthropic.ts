import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { z } from 'zod';
import {
  model as demoModel,
  imagePrompt,
  imageUrl,
  nextPrompt,
  prompt,
  thinkPrompt,
  tripPrompt,
  tripSchema,
  weatherPrompt,
  weatherTool,
} from '../client-fixtures.ts';
import { type Access, type Library, watchWeather } from './library.ts';

export function openAnthropic({ url, key }: Pick<Access, 'url' | 'key'>): Anthropic {
  return new Anthropic({ baseURL: `${url}/proxy`, apiKey: key, maxRetries: 0 });
}

export const max_tokens = 500;
export const toMessages = (content: string) => [{ role: 'user' as const, content }];
export const picture = {
  type: 'image' as const,
  source: {
    type: 'base64' as const,
    media_type: 'image/png' as const,
    data: imageUrl.split(',')[1] ?? '',
  },
};

export function toText({ content }: Pick<Anthropic.Message, 'content'>): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

export const anthropicLibrary: Library = {
  client: 'Anthropic’s SDK',
  documented: 'Anthropic SDK',
  api: 'messages',
  async reply(access, model, maxTokens = max_tokens) {
    const request = { model, max_tokens: maxTokens, messages: toMessages(prompt) };
    const message = await openAnthropic(access).messages.create(request);
    return {
      text: toText(message),
      isCut: message.stop_reason === 'max_tokens',
      tokensIn: message.usage.input_tokens,
      tokensOut: message.usage.output_tokens,
    };
  },
  async *stream(access, model, signal) {
    const request = { model, max_tokens, messages: toMessages(prompt) };
    for await (const event of openAnthropic(access).messages.stream(request, { signal })) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
        yield event.delta.text;
      }
    }
  },
  async runTools(access, stream, question = weatherPrompt) {
    const { cities, run } = watchWeather();
    const { name, description, schema: inputSchema } = weatherTool;
    const runner = openAnthropic(access).beta.messages.toolRunner({
      model: access.model ?? demoModel,
      max_tokens,
      tools: [betaZodTool({ name, description, inputSchema, run })],
      stream,
      messages: toMessages(question),
    });
    const { content } = await runner.runUntilDone();
    return { cities, text: content.map((block) => ('text' in block ? block.text : '')).join('') };
  },
  async planTrip(access, isStream) {
    const { messages: api } = openAnthropic(access);
    const request = {
      model: access.model ?? demoModel,
      max_tokens,
      messages: toMessages(tripPrompt),
      // The helper leaves out the bounds of numbers.
      output_config: { format: zodOutputFormat(tripSchema.extend({ days: z.literal(3) })) },
    };
    const { parsed_output } = await (isStream
      ? api.stream(request).finalMessage()
      : api.parse(request));
    return parsed_output;
  },
  async converse(access, isStream) {
    const { messages: api } = openAnthropic(access);
    const send = (messages: Anthropic.MessageParam[]) => {
      const request = { model: demoModel, max_tokens, messages };
      return isStream ? api.stream(request).finalMessage() : api.create(request);
    };
    const { content } = await send(toMessages(prompt));
    const first = { role: 'assistant' as const, content };
    return toText(await send([...toMessages(prompt), first, ...toMessages(nextPrompt)]));
  },
  async look(access) {
    const content = [picture, { type: 'text' as const, text: imagePrompt }];
    const messages = [{ role: 'user' as const, content }];
    const { model = demoModel } = access;
    return toText(await openAnthropic(access).messages.create({ model, max_tokens, messages }));
  },
  async think(access) {
    const message = await openAnthropic(access)
      .messages.stream({
        model: access.model ?? demoModel,
        max_tokens: 4000,
        thinking: { type: 'enabled', budget_tokens: 2000 },
        messages: toMessages(thinkPrompt),
      })
      .finalMessage();
    const thinking = message.content.flatMap((block) =>
      block.type === 'thinking' ? [block.thinking] : [],
    );
    return { thinking: thinking.join(''), text: toText(message) };
  },
};
