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
    async *stream(access, model) {
      const result = await open(access).run(toTalker(model), prompt, { stream: true });
      yield* result.toTextStream();
      await result.completed;
    },
    async useTools(access, isStream) {
      const { cities, run } = watchWeather();
      const { name, description, schema: parameters } = weatherTool;
      const weather = tool({ name, description, parameters, execute: async (input) => run(input) });
      const forecaster = new Agent({ name: 'Forecaster', model: demoModel, tools: [weather] });
      if (!isStream) {
        const { finalOutput = '' } = await open(access).run(forecaster, weatherPrompt);
        return { cities, text: finalOutput };
      }
      const result = await open(access).run(forecaster, weatherPrompt, { stream: true });
      await result.completed;
      return { cities, text: result.finalOutput ?? '' };
    },
    async planTrip(access, isStream) {
      const planner = new Agent({ name: 'Planner', model: demoModel, outputType: tripSchema });
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
      return (await open(access).run(toTalker(), [question])).finalOutput ?? '';
    },
  };
});
