import type { ChangedValues, EventChange } from '#lib/events/changes/change.ts';

/** What the admins are told when something goes wrong. Names no member and no address. */
export type Alert = Readonly<{
  type: `alert.${string}`;
  /** When it was found, RFC 3339. */
  timestamp: string;
  data: Readonly<Record<string, unknown>>;
}>;

const bytesMax = 20_000;

/** The body of a webhook for a change: longer than 20 kB without its longest values, of which the names stay. */
export function toChangeBody(change: EventChange): string {
  const { type, timestamp } = change;
  const write = (data: EventChange) => JSON.stringify({ type, timestamp, data });
  let data = change;
  while (Buffer.byteLength(write(data)) > bytesMax) {
    const longest = findLongest(data);
    if (longest === null) break;
    data = { ...data, old: without(data.old, longest), new: without(data.new, longest) };
  }
  return write(data);
}

function without(values: ChangedValues, name: string): ChangedValues {
  return Object.fromEntries(Object.entries(values).filter(([field]) => field !== name));
}

function findLongest({ old, new: rest }: EventChange): string | null {
  const lengths = [...Object.entries(old), ...Object.entries(rest)].map(
    ([name, value]) => [name, JSON.stringify(value)?.length ?? 0] as const,
  );
  return lengths.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

export function toAlertBody({ type, timestamp, data }: Alert): string {
  return JSON.stringify({ type, timestamp, data });
}

export const testType = 'webhook.test';

/** A message that shows whether a webhook works. */
export function toTestBody(now: number): string {
  const timestamp = new Date(now).toISOString();
  const data = { message: 'This is a test. Nothing has changed.' };
  return JSON.stringify({ type: testType, timestamp, data });
}

/** Whether a webhook gets messages of a type: it names the type, or a prefix of it with `*`. */
export function hasType(types: readonly string[], type: string): boolean {
  return types.some((one) =>
    one.endsWith('.*') ? type.startsWith(one.slice(0, -1)) : one === type,
  );
}
