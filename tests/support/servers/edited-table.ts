import type { Environment } from '#lib/config/config.ts';
import { send } from '../clients/http-client.ts';
import { makeRecord } from '../upstreams/upstream.ts';
import { startTable, toTableSettings } from './marquee-server.ts';

export const tableHook = { path: '/hooks/table-changed', secret: 'table-hook-secret-0001' };

/** A table of one event, which a test renames. Its first name is Lantern Jam. */
export async function startEditedTable(settings: Environment = {}) {
  let name = 'Lantern Jam';
  let row = 0;
  const readsAt: number[] = [];
  const table = await startTable({
    records() {
      readsAt.push(performance.now());
      return [makeRecord({ Name: name, 'Start Date': '2027-01-05' }, row)];
    },
  });
  return {
    ...table,
    settings: { ...toTableSettings(table), TABLE_HOOK_SECRET: tableHook.secret, ...settings },
    rename(value: string) {
      name = value;
    },
    /** Deletes the row and adds another one. */
    replaceRow() {
      row++;
    },
    /** How often it was read. */
    reads: () => readsAt.length,
    /** The shortest time between two reads. */
    shortestPauseMs: () =>
      Math.min(...readsAt.slice(1).map((at, index) => at - (readsAt[index] ?? 0))),
  };
}

export type EditedTable = Awaited<ReturnType<typeof startEditedTable>>;

/** What Airtable sends when a table was edited. */
export function callTableHook(
  server: Readonly<{ port: number }>,
  authorization = `Bearer ${tableHook.secret}`,
) {
  return send(server, tableHook.path, { method: 'POST', headers: { authorization } });
}

/** The name of the first event of a server. */
export async function readName(server: Readonly<{ port: number }>): Promise<string | undefined> {
  return /"name":"([^"]+)"/.exec((await send(server, '/api/v1/events')).text)?.[1];
}
