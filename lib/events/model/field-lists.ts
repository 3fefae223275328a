import type { z } from 'zod';
import type { Place } from './field.ts';
import { fields } from './fields.ts';
import { stylingFields } from './styling-fields.ts';

/** What follows from the table of fields. */

type Fields = typeof fields;
type FieldName = keyof Fields;

/** In the order of the JSON API. */
export const fieldNames = Object.keys(fields) as FieldName[];

/** The fields that are shown in a place. */
export type FieldIn<P extends Place> = {
  [Name in FieldName]: P extends Fields[Name]['shownIn'][number] ? Name : never;
}[FieldName];

export function listFields<P extends Place>(place: P): FieldIn<P>[] {
  return fieldNames.filter((name): name is FieldIn<P> => isShownIn(fields[name], place));
}

function isShownIn({ shownIn }: Readonly<{ shownIn: readonly Place[] }>, place: Place): boolean {
  return shownIn.includes(place);
}

/** All but how a poster looks. */
export const plainFields = fieldNames.filter(
  (name): name is Exclude<FieldName, keyof typeof stylingFields> => !(name in stylingFields),
);

/** The named properties of an object. */
export function pick<Source extends object, Name extends keyof Source>(
  source: Source,
  names: readonly Name[],
): Pick<Source, Name> {
  return Object.fromEntries(names.map((name) => [name, source[name]])) as Pick<Source, Name>;
}

/** The schemas of fields, for an object that has them. */
export function pickSchemas<Name extends FieldName>(names: readonly Name[]) {
  const schemas = names.map((name) => [name, fields[name].schema]);
  return Object.fromEntries(schemas) as { [N in Name]: Fields[N]['schema'] };
}

type DetailName = {
  [Name in FieldName]: Fields[Name] extends { read: string } ? Name : never;
}[FieldName];

/** Values of the fields that need no code of their own. */
export type Details = { [Name in DetailName]: z.infer<Fields[Name]['schema']> };

export const details = fieldNames.filter(isDetail).map((name) => ({ name, ...fields[name] }));

function isDetail(name: FieldName): name is DetailName {
  return 'read' in fields[name];
}

export function toDetails(
  toValue: (detail: (typeof details)[number]) => string | number | null,
): Details {
  return Object.fromEntries(details.map((detail) => [detail.name, toValue(detail)])) as Details;
}

/** The details of an event that are known, by default those of every place. */
export function listDetails(event: Details, place?: Place) {
  const shown = details.filter((detail) => place === undefined || isShownIn(detail, place));
  return shown.flatMap(({ name, label }) => {
    const value = event[name];
    return value === null ? [] : [{ name, label, value }];
  });
}

type ColumnOf<Row> = Row extends { column: infer Name }
  ? Name
  : Row extends { columns: infer Columns }
    ? keyof Columns
    : never;

/** A column of the events table, by the name that the operator sees. */
export type Column = { [Name in FieldName]: ColumnOf<Fields[Name]> }[FieldName];

type ColumnFacts = Readonly<{ column: Column; holds: string; isRequired: boolean }>;

export const columnFacts: readonly ColumnFacts[] = Object.values(fields).flatMap((field) => {
  if ('read' in field) return [{ ...field, isRequired: false }];
  if (!('columns' in field)) return [];
  const isRequired = 'isRequired' in field;
  return Object.entries<string>(field.columns).map(([name, holds]) => {
    return { column: name as Column, holds, isRequired };
  });
});

export const columns = columnFacts.map(({ column }) => column);

/** Columns without which a table has no events. */
export const requiredColumns: ReadonlySet<Column> = new Set(
  columnFacts.filter(({ isRequired }) => isRequired).map(({ column }) => column),
);
