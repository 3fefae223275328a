import { test } from 'vitest';
import { send } from '../../../support/clients/http-client.ts';
import { readEventList } from '../../../support/responses/api-responses.ts';
import {
  startMarquee,
  startTable,
  toTableSettings,
} from '../../../support/servers/marquee-server.ts';
import { setUpPostgres } from '../../../support/servers/postgres-server.ts';

/** The claim of ten seconds, and as much again for a busy machine; a wait for its reader takes 30. */
const postgres = setUpPostgres();

// They mostly wait, so they run at once: each has its own database and table.
test.concurrent.for(['killed', 'stopped', 'frozen'] as const)(
  'a reader that is %s in mid-read delays the others by no more than its claim',
  async (how, { expect }) => {
    await using table = await startTable();
    const settings = {
      ...toTableSettings(table),
      DATABASE_URL: await postgres.createDatabase(),
      KEY_PEPPER: 'a-pepper-of-thirty-two-characters',
      SHUTDOWN_SECONDS: '30',
    };
    table.setFault({ kind: 'hang', times: 1 });
    const reader = await startMarquee(settings);
    await expect.poll(() => table.stats().listRequests).toBe(1);
    await using other = await startMarquee(settings);
    const list = send(other, '/api/v1/events');
    if (how === 'killed') await reader.kill();
    else if (how === 'stopped') expect(await reader.terminate()).toBe(0);
    else reader.freeze();
    // A reader that is stopped gives its claim back: had it kept it, this would take as long as renewed claims.
    if (how === 'stopped') await expect.poll(() => table.stats().listRequests).toBe(2);
    expect(readEventList(await list).data.length).toBeGreaterThan(0);
    if (how !== 'frozen') return;
    reader.thaw();
    const { meta } = readEventList(await list);
    // It has what the other one has read, once its own request has failed.
    await expect
      .poll(async () => (await send(reader, '/api/v1/events')).text)
      .toContain(`"generatedAt":"${meta.generatedAt}"`);
    await reader.stop();
  },
);
