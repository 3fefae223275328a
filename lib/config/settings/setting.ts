import type { z } from 'zod';

/** How one setting is parsed, and what operators read about it. */
export type Setting<T> = Readonly<{
  schema: z.ZodType<T, string | undefined>;
  /** What it is for, in Markdown. The documentation shows it. */
  meaning: string;
  /** Completes “must be …” in the message about an invalid value. */
  expected: string;
  /** What applies without it, in Markdown, where the schema has no default that says so. */
  unset?: string;
  /** Never shown in messages, and may be in a file that `NAME_FILE` names. */
  secret?: true;
}>;

export function setting<T>(
  schema: z.ZodType<T, string | undefined>,
  texts: Omit<Setting<T>, 'schema'>,
): Setting<T> {
  return { schema, ...texts };
}
