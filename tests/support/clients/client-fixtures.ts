import { z } from 'zod';

/** Prompts for the demo's models, and their replies. */

export const model = 'lantern-demo/wick-3';
export const prompt = 'Tell me of Lisbon';
/** Part of every reply to `prompt`. */
export const promptQuoted = '“Tell me of Lisbon”';
/** A second turn, and part of the reply to it. */
export const nextPrompt = 'And of Porto?';
export const secondTurnQuoted = 'it is your turn 2; you began with “Tell me of Lisbon”';
/** A prompt with one image, and part of the reply to it. */
export const imagePrompt = 'What do you see?';
export const oneImageNoticed = 'it came with 1 image';

/** Makes the model call the tool once for each city. */
export const weatherPrompt = 'What is the weather in Lisbon and Oslo?';
export const weatherCities = [{ city: 'Lisbon' }, { city: 'Oslo' }];
export const weatherTool = {
  name: 'get_weather',
  description: 'The weather in a city',
  schema: z.object({ city: z.string() }),
  run: ({ city }: Readonly<{ city: string }>) => `22 °C in ${city}`,
} as const;
/** The parameters of the tool as JSON Schema. */
export const weatherParameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
/** The reply after both tool results. */
export const weatherAnswer = 'The tools returned:\n\n- “22 °C in Lisbon”\n- “22 °C in Oslo”';

/** Makes the model call the tool for one city after the other. */
export const loopPrompt = 'Go through the weather one place at a time';
export const thinkPrompt = 'Think hard about the tides';

/** A schema for structured output, and its prompt. */
export const tripSchema = z.object({
  city: z.string(),
  days: z.int().min(3),
  mode: z.enum(['train', 'plane']),
});
export const tripPrompt = 'Plan a trip to Lisbon';
export const trip = { city: 'Lisbon', days: 3, mode: 'train' } as const;

/** One transparent pixel. */
export const imageUrl =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
