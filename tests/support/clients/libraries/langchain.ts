import {
  type AIMessage,
  AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
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
import { collect } from '../collect.ts';
import { type Access, type Library, watchWeather } from './library.ts';

type Model = Readonly<{
  invoke: (messages: BaseMessage[]) => Promise<AIMessage>;
  stream: (messages: BaseMessage[]) => Promise<AsyncIterable<AIMessageChunk>>;
}>;

/** The reply in one of both ways, as one message. */
async function send(model: Model, messages: BaseMessage[], isStream: boolean) {
  if (!isStream) return model.invoke(messages);
  const [first = new AIMessageChunk(''), ...rest] = await collect(await model.stream(messages));
  return rest.reduce((complete, chunk) => complete.concat(chunk), first);
}

export const langChainLibraries = (['chat', 'responses'] as const).map((api): Library => {
  const open = (
    { baseUrl, key, model: ofAccess = demoModel }: Access,
    model = ofAccess,
    maxTokens?: number,
  ) =>
    new ChatOpenAI({
      model,
      apiKey: key,
      configuration: { baseURL: baseUrl },
      maxRetries: 0,
      useResponsesApi: api === 'responses',
      ...(maxTokens && { maxTokens }),
    });
  return {
    client: `LangChain’s ${api}`,
    documented: 'LangChain',
    api,
    async reply(access, model, maxTokens) {
      const messages = [new SystemMessage('Be brief.'), new HumanMessage(prompt)];
      const { text, usage_metadata: usage } = await open(access, model, maxTokens).invoke(messages);
      const { input_tokens: tokensIn = 0, output_tokens: tokensOut = 0 } = usage ?? {};
      return { text, isCut: null, tokensIn, tokensOut };
    },
    async *stream(access, model, signal) {
      const options = signal === undefined ? {} : { signal };
      for await (const { text } of await open(access, model).stream(prompt, options)) yield text;
    },
    async runTools(access, isStream, question = weatherPrompt) {
      const { cities, run } = watchWeather();
      const { name, description, schema } = weatherTool;
      const bound = open(access).bindTools([tool(run, { name, description, schema })]);
      const turns: BaseMessage[] = [new HumanMessage(question)];
      for (;;) {
        const reply = await send(bound, turns, isStream);
        const { tool_calls: calls = [] } = reply;
        if (calls.length === 0) return { cities, text: reply.text };
        const results = calls.map(
          ({ id = '', args }) =>
            new ToolMessage({ tool_call_id: id, content: run(schema.parse(args)) }),
        );
        turns.push(reply, ...results);
      }
    },
    // It does not stream what it parses: its other way is a function call.
    planTrip: (access, isOtherWay) =>
      open(access)
        .withStructuredOutput(tripSchema, { method: isOtherWay ? 'functionCalling' : 'jsonSchema' })
        .invoke(tripPrompt),
    async converse(access, isStream) {
      const model = open(access);
      const first = await send(model, [new HumanMessage(prompt)], isStream);
      const turns = [new HumanMessage(prompt), first, new HumanMessage(nextPrompt)];
      return (await model.invoke(turns)).text;
    },
    async look(access) {
      const content = [
        { type: 'text', text: imagePrompt },
        { type: 'image_url', image_url: { url: imageUrl } },
      ];
      return (await open(access).invoke([new HumanMessage({ content })])).text;
    },
    async think(access) {
      // A summary is only in Responses.
      const summary = api === 'responses' ? ({ summary: 'auto' } as const) : {};
      const model = open(access).withConfig({ reasoning: { effort: 'high', ...summary } });
      const reply = await send(model, [new HumanMessage(thinkPrompt)], true);
      const thoughts = reply.contentBlocks.flatMap((block) =>
        block.type === 'reasoning' ? [block.reasoning] : [],
      );
      const { reasoning_content: thinking } = reply.additional_kwargs;
      return { thinking: String(thinking ?? thoughts.join('')), text: reply.text };
    },
  };
});
