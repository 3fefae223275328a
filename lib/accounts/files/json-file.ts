import type { CsvColumns } from './csv-file.ts';
import { respondWithFile } from './file-response.ts';

type Lists = Readonly<Record<string, AsyncIterable<readonly object[]>>>;

/** An object as JSON: its short members, and lists, which are sent while they are read, an item in a line. */
export function respondWithJson(name: string, members: object, lists: Lists): Promise<Response> {
  const file = { name: `${name}.json`, type: 'application/json; charset=utf-8' };
  return respondWithFile(writeObject(members, lists), file);
}

async function* writeObject(members: object, lists: Lists): AsyncGenerator<string> {
  // Without the brace at its end.
  yield JSON.stringify(members, null, 2).slice(0, -2);
  for (const [name, pages] of Object.entries(lists)) {
    yield `,\n  ${JSON.stringify(name)}: [`;
    let separator = '\n';
    for await (const items of pages) {
      if (items.length === 0) continue;
      yield separator + items.map((item) => `    ${JSON.stringify(item)}`).join(',\n');
      separator = ',\n';
    }
    yield '\n  ]';
  }
  yield '\n}\n';
}

/** A row of a CSV file as an item of a list. */
export function toFields<Row>(columns: CsvColumns<Row>, row: Row): object {
  return Object.fromEntries(Object.entries(columns).map(([name, toValue]) => [name, toValue(row)]));
}
