import { closestMatch } from 'leven';
import { ConfigError } from '#lib/config/read-settings.ts';
import { type Column, columns } from '../../model/field-lists.ts';

/** What a table calls its columns, where it calls them otherwise. */
export type ColumnNames = Readonly<Partial<Record<Column, string>>>;

/** @throws ConfigError if a column is not known. */
export function parseColumnNames(names: Readonly<Record<string, string>>): ColumnNames {
  const parsed: Partial<Record<Column, string>> = {};
  for (const [name, ofTable] of Object.entries(names)) {
    const column = columns.find((column) => toPlain(column) === toPlain(name));
    if (column === undefined) throw new ConfigError(describeUnknown(name));
    parsed[column] = ofTable;
  }
  return parsed;
}

function toPlain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

function describeUnknown(name: string): string {
  const nearest = closestMatch(name, columns, { maxDistance: 4 });
  const hint =
    nearest === undefined ? `The columns are ${columns.join(', ')}.` : `Did you mean “${nearest}”?`;
  return `EVENTS_COLUMNS names “${name}”, but the site has no such column. ${hint}`;
}

/**
 * What a table calls a column; null if it has another use for the name: with `Region=State`, its column “State” is not
 * the state of an event.
 */
export function toTableColumn(column: Column, names: ColumnNames): string | null {
  const name = names[column];
  if (name !== undefined) return name;
  return Object.values(names).includes(column) ? null : column;
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a record by the site’s own names of columns. */
export function renameFields(fields: Fields, names: ColumnNames): Fields {
  if (Object.keys(names).length === 0) return fields;
  return Object.fromEntries(
    columns.flatMap((column) => {
      const name = toTableColumn(column, names);
      return name !== null && Object.hasOwn(fields, name) ? [[column, fields[name]]] : [];
    }),
  );
}

/** A column as operators know it: `Start Date (“When”)`. */
export function toShownColumn(column: Column, names: ColumnNames): string {
  const name = names[column];
  return name === undefined ? column : `${column} (“${name}”)`;
}
