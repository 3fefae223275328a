import { type Path, toParam } from '../json/check.ts';

/** What a chat request was made of, in the request of the client. */
export type Origins = Readonly<{
  messages: readonly Path[];
  tools: readonly Path[];
  /** Where a tool has its parameters. */
  schemaField: 'parameters' | 'input_schema';
  /** Fields with another name; null: the client has nothing that it could change. */
  fields: Readonly<Record<string, Path | null>>;
}>;

/** The path in the client’s own request of what an upstream names in the chat request; null: it is nowhere there. */
export function toOwnParam(
  param: string,
  { messages, tools, schemaField, fields }: Origins,
): string | null {
  const [first = '', ...rest] = param.split(/[.[\]]+/).filter((word) => word !== '');
  const own = Object.hasOwn(fields, first) ? fields[first] : [first];
  if (own === null || own === undefined) return null;
  if (first === 'messages') return toParam(messages[Number(rest[0])] ?? own);
  if (first !== 'tools') return toParam([...own, ...rest.filter((word) => word !== 'json_schema')]);
  const tool = tools[Number(rest[0])];
  if (tool === undefined) return toParam(own);
  const field = rest.slice(1).find((word) => word !== 'function') ?? '';
  return toParam([...tool, ...(field === 'parameters' ? [schemaField] : toNames(field))]);
}

/** What is called the same in a tool of any protocol. */
function toNames(field: string): readonly string[] {
  return ['name', 'description', 'strict'].includes(field) ? [field] : [];
}
