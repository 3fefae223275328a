import { isJsonObject, type JsonObject } from '#lib/http/json-value.ts';
import type { RepairReason } from '../problem-reasons.ts';

/** Why a cell has no text. */
type TextFault = Extract<RepairReason, 'not_text' | 'linked_record' | 'failed_formula'>;

/** What a cell says: a text, or the different texts of a lookup. */
export type CellTexts =
  | Readonly<{ texts: readonly string[]; fault: null }>
  | Readonly<{ texts: null; fault: TextFault }>;

/** More than a lookup has. */
const textsMax = 100;

/** The texts of a cell of any type of column. Those without visible characters and repetitions are left out. */
export function toCellTexts(value: unknown): CellTexts {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = new Set<string>();
  for (const item of items.slice(0, textsMax)) {
    const text = toItemText(item);
    if (typeof text !== 'string') return { texts: null, fault: text.fault };
    if (/[^\p{Cc}\p{Cf}\p{Mn}\s]/u.test(text)) texts.add(text);
  }
  return { texts: [...texts], fault: null };
}

type Faulty = Readonly<{ fault: TextFault }>;

const notText: Faulty = { fault: 'not_text' };

function toItemText(value: unknown): string | Faulty {
  if (value == null) return '';
  if (typeof value === 'string') return isRecordId(value) ? { fault: 'linked_record' } : value;
  if (typeof value === 'number') return formatNumber(value);
  return isJsonObject(value) ? toObjectText(value) : notText;
}

// https://airtable.com/developers/web/api/field-model
function toObjectText(value: JsonObject): string | Faulty {
  const { error, specialValue, state, label, text, name, email } = value;
  if (error !== undefined || specialValue !== undefined || state === 'error')
    return { fault: 'failed_formula' };
  // A text by a language model; null until it is written.
  if (typeof state === 'string' && 'value' in value)
    return typeof value.value === 'string' ? value.value : '';
  if (typeof label === 'string' && 'url' in value) return label;
  const isBarcode = typeof text === 'string' && isWithin(value, ['text', 'type']);
  if (isBarcode) return text;
  // Collaborators have a mail address, which is not for everyone.
  return typeof name === 'string' && typeof email === 'string' ? name : notText;
}

function isWithin(value: JsonObject, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}

/** Columns that link to other tables hold the ids of records. */
function isRecordId(text: string): boolean {
  return /^rec[A-Za-z0-9]{14}$/.test(text);
}

/** Without the digits that arithmetic adds: `0.1 + 0.2` is `0.3`. */
function formatNumber(value: number): string {
  return String(Number(value.toPrecision(12)));
}
