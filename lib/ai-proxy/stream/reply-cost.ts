import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/http/json-value.ts';
import { keepSource, writeJson } from '../protocols/json/source-text.ts';

/** A reply, or an event of one, whose usage has its cost in US dollars; null: unknown. Others stay as they are. */
export function withCost(reply: JsonObject, costUsd: number | null): JsonObject {
  const { usage } = reply;
  return isJsonObject(usage) ? { ...reply, usage: { ...usage, cost: costUsd } } : reply;
}

/** The frames of a client's stream, with the cost beside each usage: of chat and Messages, or of the response in an event. */
export function addCostToFrames(frames: string, costUsd: number | null): string {
  // In texts of the model its quotation marks are escaped.
  const hasUsage = (line: string) => line.startsWith('data: {') && line.includes('"usage":{');
  if (!frames.includes('"usage":{')) return frames;
  return frames
    .split('\n')
    .map((line) => (hasUsage(line) ? addCostToLine(line, costUsd) : line))
    .join('\n');
}

function addCostToLine(line: string, costUsd: number | null): string {
  const data = line.slice('data: '.length);
  const event = parseJsonObject(data);
  if (event === null) return line;
  keepSource(event, data);
  const { response } = event;
  const shown = isJsonObject(response)
    ? { ...event, response: withCost(response, costUsd) }
    : withCost(event, costUsd);
  return `data: ${writeJson(shown)}`;
}
