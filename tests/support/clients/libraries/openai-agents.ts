import {
  Agent,
  type AgentInputItem,
  OpenAIProvider,
  Runner,
  setTracingDisabled,
  tool,
  user,
} from '@openai/agents';
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
import { openOpenAi } from './openai.ts';

setTracingDisabled(true);

const toTalker = (model = demoModel, maxTokens?: number) =>
  new Agent({
    name: 'Talker',
    model,
    ...(maxTokens && { modelSettings: { maxTokens } }),
  });

export const agentLibraries = (['chat', 'responses'] as const).map((api): Library => {
  function open(access: Access): Runner {
    const useResponses = api === 'responses';
    const modelProvider = new OpenAIProvider({ openAIClient: openOpenAi(access), useResponses });
    return new Runner({ modelProvider, tracingDisabled: true });
  }
  return {
    client: `OpenAI’s agents by ${api}`,
    documented: 'OpenAI Agents SDK',
    api,
    async reply(access, model, maxTokens) {
      const { finalOutput, state } = await open(access).run(toTalker(model, maxTokens), prompt);
      const { inputTokens, outputTokens } = state.usage;
      return {
        text: finalOutput ?? '',
        isCut: null,
        tokensIn: inputTokens,
        tokensOut: outputTokens,
      };
    },
    async *stream(access, model, signal) {
      const options = { stream: true, ...(signal && { signal }) } as const;
      const result = await open(access).run(toTalker(model), prompt, options);
      yield* result.toTextStream();
      await result.completed;
    },
    async runTools(access, isStream, question = weatherPrompt) {
      const { cities, run } = watchWeather();
      const { name, description, schema: parameters } = weatherTool;
      const weather = tool({ name, description, parameters, execute: async (input) => run(input) });
      const { model = demoModel } = access;
      const forecaster = new Agent({ name: 'Forecaster', model, tools: [weather] });
      if (!isStream) {
        const { finalOutput = '' } = await open(access).run(forecaster, question);
        return { cities, text: finalOutput };
      }
      const result = await open(access).run(forecaster, question, { stream: true });
      await result.completed;
      return { cities, text: result.finalOutput ?? '' };
    },
    async planTrip(access, isStream) {
      const { model = demoModel } = access;
      const planner = new Agent({ name: 'Planner', model, outputType: tripSchema });
      if (!isStream) return (await open(access).run(planner, tripPrompt)).finalOutput;
      const result = await open(access).run(planner, tripPrompt, { stream: true });
      await result.completed;
      return result.finalOutput;
    },
    async converse(access, isStream) {
      const runner = open(access);
      const first = await runner.run(toTalker(), prompt);
      const history: AgentInputItem[] = [...first.history, user(nextPrompt)];
      if (!isStream) return (await runner.run(toTalker(), history)).finalOutput ?? '';
      const second = await runner.run(toTalker(), history, { stream: true });
      await second.completed;
      return second.finalOutput ?? '';
    },
    async look(access) {
      const question = user([
        { type: 'input_text', text: imagePrompt },
        { type: 'input_image', image: imageUrl },
      ]);
      return (await open(access).run(toTalker(access.model), [question])).finalOutput ?? '';
    },
    async think(access) {
      const thinker = new Agent({
        name: 'Thinker',
        model: access.model ?? demoModel,
        modelSettings: { reasoning: { effort: 'high', summary: 'auto' } },
      });
      const result = await open(access).run(thinker, thinkPrompt, { stream: true });
      await result.completed;
      const thoughts = result.newItems.flatMap((item) =>
        item.type === 'reasoning_item'
          ? [...(item.rawItem.rawContent ?? []), ...item.rawItem.content]
          : [],
      );
      const thinking = thoughts.length === 0 ? null : thoughts.map(({ text }) => text).join('');
      return { thinking, text: result.finalOutput ?? '' };
    },
  };
});
