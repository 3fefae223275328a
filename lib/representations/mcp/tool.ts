import type { ZodObject, z } from 'zod';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import type { Site } from '#lib/events/view/site-urls.ts';

/** What tools read. */
export type ToolParts = Readonly<{
  site: Site;
  events: EventsLoader;
  config: Readonly<{ events: Readonly<{ timeZone: string }> }>;
}>;

/** A read-only tool: validated arguments → structured content. */
export type Tool<
  Input extends ZodObject = ZodObject,
  Output extends ZodObject = ZodObject,
> = Readonly<{
  name: string;
  /** For people. */
  title: string;
  /** For models: what it does, and when to use it. */
  description: string;
  inputSchema: Input;
  outputSchema: Output;
  /** @throws HttpError if the arguments match nothing, or the events cannot be read. */
  run: (input: z.output<Input>, parts: ToolParts) => Promise<z.input<Output>>;
}>;

/** Checks that a tool returns what its schema says. */
export function defineTool<Input extends ZodObject, Output extends ZodObject>(
  tool: Tool<Input, Output>,
): Tool {
  // Tools of different schemas stand in one list, so their types are widened. That is safe: the SDK
  // validates arguments by the same schema before it calls `run`.
  return tool as unknown as Tool;
}
