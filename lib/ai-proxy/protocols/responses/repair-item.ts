import { isJsonObject, type JsonObject } from '#lib/http/json-value.ts';

/** A content part of a reply with the arrays that clients expect. */
export function repairPart(part: unknown): unknown {
  if (!isJsonObject(part) || part.type !== 'output_text') return part;
  if (Array.isArray(part.annotations) && Array.isArray(part.logprobs)) return part;
  return { ...part, annotations: part.annotations ?? [], logprobs: part.logprobs ?? [] };
}

/** Defaults for fields that the upstream left out. */
export type ItemDefaults = Readonly<{ id: string; status: string }>;

/** An item of a reply with the fields that clients need. */
export function repairItem(item: JsonObject, { id, status }: ItemDefaults): JsonObject {
  const repaired = {
    ...item,
    id: typeof item.id === 'string' && item.id !== '' ? item.id : id,
  };
  if (item.type === 'message') {
    const content = Array.isArray(item.content) ? item.content.map(repairPart) : [];
    return { ...repaired, status: item.status ?? status, role: 'assistant', content };
  }
  if (item.type === 'function_call') {
    return {
      ...repaired,
      call_id: item.call_id ?? repaired.id,
      arguments: item.arguments ?? '',
      status: item.status ?? status,
    };
  }
  return item.type === 'reasoning' ? { ...repaired, summary: item.summary ?? [] } : repaired;
}
