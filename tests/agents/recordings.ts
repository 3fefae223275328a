import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Agent } from './agents.ts';
import type { RecordedRequest } from './recorder.ts';

const folder = `${import.meta.dirname}/recorded`;
/** Longer texts are the agent's own instructions: their beginning is enough. */
const textLengthMax = 40;
const keptHeaders = ['accept', 'anthropic-beta', 'anthropic-version', 'content-type'];

/** The recorded generations of an agent. */
export function readRecording({ name }: Pick<Agent, 'name'>): readonly RecordedRequest[] {
  return JSON.parse(readFileSync(toFile(name), 'utf8'));
}

/** Writes the requests of a session that have something which none before them had, without what is private. */
export function saveRecording({ name }: Agent, recorded: readonly RecordedRequest[]): void {
  const seen = new Set<string>();
  const kept = recorded
    .filter(({ method }) => method === 'POST')
    .filter(({ body }) => {
      const shapes = [...findShapes(body)].filter((shape) => !seen.has(shape));
      for (const shape of shapes) seen.add(shape);
      return shapes.length > 0;
    })
    .map((request) => ({ ...request, headers: keepHeaders(request), body: scrub(request.body) }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    toFile(name),
    `[\n${kept.map((request) => JSON.stringify(request)).join(',\n')}\n]\n`,
  );
}

function toFile(name: string): string {
  return `${folder}/${name.toLowerCase().replace(/[^a-z]+/g, '-')}.json`;
}

function keepHeaders({ headers }: RecordedRequest) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => keptHeaders.includes(name)));
}

/** What a body consists of: its fields, and the types and roles in it. */
function* findShapes(value: unknown, field = ''): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) yield* findShapes(item, field);
  } else if (typeof value === 'object' && value !== null) {
    const { type = '', role = '' } = value as Record<string, unknown>;
    yield `${field}: ${type} ${role}`;
    for (const [name, inner] of Object.entries(value)) {
      if (name !== 'parameters' && name !== 'input_schema') yield* findShapes(inner, name);
    }
  }
}

function scrub(value: unknown): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (Array.isArray(value)) return value.map(scrub);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'description' && typeof inner === 'string' ? '…' : scrub(inner),
    ]),
  );
}

function scrubText(text: string): string {
  const isOurs = text.startsWith('Run this.') || text.startsWith('data:image/');
  const short = isOurs || text.length <= textLengthMax ? text : `${text.slice(0, textLengthMax)}…`;
  return short
    .replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .replace(/[0-9a-f]{24,}/g, '0')
    .replace(/\/tmp\/[^/\s"\\]+/g, '/tmp/folder');
}
