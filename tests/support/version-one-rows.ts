/** The pepper of the keys below. */
export const versionOnePepper = 'pepper-of-version-one-0123456789abcdefghijk';

/** The operator's key `key_old`, 5,000 tokens a day. */
export const versionOneKey = 'mq_TG8DOwAad03XRqLvUoXZ8LqZexjjMpGKvGC4fr9rBMG3EdnpD';

const adasBudget =
  '{"tokensPerDay":1000,"tokensPerMonth":null,"nanoUsdPerDay":null,"nanoUsdPerMonth":5000000000}';
const staffBudget =
  '{"tokensPerDay":null,"tokensPerMonth":null,"nanoUsdPerDay":null,"nanoUsdPerMonth":200000000000}';
const storedEvent =
  '{"id":"recLantern","slug":"lantern-jam","name":"Lantern Jam","description":null,"url":null,"status":"upcoming","state":"scheduled","startDate":"2026-12-12","endDate":"2026-12-14","startTime":null,"endTime":null,"timeZone":null,"startsAt":null,"endsAt":null,"schedule":null,"announcedAt":"2024-11-02T09:30:00.000Z","format":"online","inPerson":null,"place":null,"organizer":null,"series":null,"price":null,"placesLeft":null,"audience":null,"projectTypes":[],"slackChannel":null,"slackUrl":null,"requirements":null,"pinned":false,"background":null,"theme":null}';
const storedChange =
  '{"id":"1","type":"event.added","timestamp":"2025-01-31T10:00:00.000Z","eventId":"recLantern","slug":"lantern-jam","fields":[],"old":{},"new":{"slug":"lantern-jam","name":"Lantern Jam"}}';

/**
 * Rows as version 1.0 has written them, of 2025-01-31 and of today: statements for a database of its tables.
 * @param todayMs when today began in UTC
 */
export function toVersionOneRows(todayMs: number): string[] {
  const today = new Date(todayMs).toISOString().slice(0, 10);
  const month = today.slice(0, 7);
  const ofAda = `'mbr_ada', 'staff'`;
  return [
    `insert into marquee_members values
      ('mbr_ada', 'https://id.example', 'ada', 'Ada Moreno', 'ada@makers.example', '{"groups":["members"]}',
        1738300000000, 1738300000000, null, '${adasBudget}', 'staff', 1),
      ('mbr_bo', 'https://id.example', 'bo', 'Bo Lind', null, '{}',
        1738300000000, 1738300000000, 1738310000000, null, null, 0)`,
    `insert into marquee_deleted_members values
      ('identity-of-cy', 'mbr_cy', null, '{"tokensPerDay":7}', 'staff', 32503680000000)`,
    `insert into marquee_groups values ('staff', '${staffBudget}', 1738300000000)`,
    `insert into marquee_keys values
      ('key_old', null, 'old', 'VmeNqHKQ8bSbd2qpKx0o8XbkVHzeHEpxuyvxJA_hSd8', 'mq_TG8DO…', 'Abv19q8w', null,
        null, 5000, null, 1738300000000, null, null, '203.0.113.0/24'),
      ('key_ada', 'mbr_ada', 'laptop', 'Qz4XjncfFionr2YIamx10kAU4KAa7MISsr_ZGsWbEks', 'mq_D2xOR…', 'Abv19q8w',
        '["lantern-demo/*"]', 30, null, '{"tokensPerDay":500}', 1738300000001, null, null, null),
      ('key_idle', null, 'idle', 'hash-of-a-key-that-nobody-uses', 'mq_00000…', 'Abv19q8w', null,
        null, null, null, 1738300000002, 1738400000000, 1738390000000, null)`,
    `insert into marquee_usage values
      ('use_1', 'key_old', 1738367999999, '2025-01-31', 'north/a', 'chat.completions', 1, 200, 10, 20, 4, 1, 0,
        250000000, 'reported', 40, 900, 'north', 'hash-of-a-session', null, null, 1, 1, null),
      ('use_2', 'key_old', 1738317600000, '2025-01-31', 'north/a', 'chat.completions', 0, 200, 1, 2, 0, 0, 1,
        null, null, 100, 150, 'north', null, null, null, 1, 1, null),
      ('use_3', 'key_old', ${todayMs}, '${today}', 'north/b', 'responses', 1, 502, 0, 0, 0, 0, 0,
        0, 'price', null, 30, null, null, null, null, 1, 1, null),
      ('use_4', 'key_old', ${todayMs + 1}, '${today}', 'north/a', 'messages', 1, 200, 100, 17, 0, 0, 0,
        1000000, 'price', 50, 40, 'south', null, null, null, 1, 1, null),
      ('use_5', 'key_ada', ${todayMs + 2}, '${today}', 'north/a', 'chat.completions', 0, 200, 7, 10, 0, 0, 0,
        100000000, 'price', 30, 50, 'south', null, ${ofAda}, 1, 1, null),
      ('use_6', 'key_ada', 1738364400000, '2025-01-31', 'north/a', 'chat.completions', 1, 429, 0, 0, 0, 0, 0,
        null, null, null, 5, null, null, ${ofAda}, 1, 1, null),
      ('use_7', 'key_ada', 1738317600000, '2025-01-31', 'north/a', 'chat.completions', 1, 200, 50, 5, 0, 0, 1,
        5000000, 'estimate', null, 0, 'north', null, ${ofAda}, 0, 0, 1738317645000)`,
    `insert into marquee_balances values
      ('key:key_old', '2025-01-31', 33, 250000000), ('key:key_old', '2025-01', 33, 250000000),
      ('key:key_old', '${today}', 117, 1000000), ('key:key_old', '${month}', 117, 1000000),
      ('key:key_ada', '2025-01-31', 0, 0), ('key:key_ada', '2025-01', 0, 0),
      ('key:key_ada', '${today}', 17, 100000000), ('key:key_ada', '${month}', 17, 100000000),
      ('member:mbr_ada', '2025-01-31', 0, 0), ('member:mbr_ada', '2025-01', 0, 0),
      ('member:mbr_ada', '${today}', 17, 100000000), ('member:mbr_ada', '${month}', 17, 100000000),
      ('group:staff', '2025-01-31', 0, 0), ('group:staff', '2025-01', 0, 0),
      ('group:staff', '${today}', 17, 100000000), ('group:staff', '${month}', 17, 100000000),
      ('all', '2025-01-31', 33, 250000000), ('all', '2025-01', 33, 250000000),
      ('all', '${today}', 134, 101000000), ('all', '${month}', 134, 101000000)`,
    `insert into marquee_rejections values
      ('rej_1', 'key_old', 1738317600000, '2025-01-31', 429, 'rate_limit_exceeded', 3)`,
    `insert into marquee_sessions values
      ('ses_1', 'mbr_ada', 'hash-of-a-session', 'Firefox on Linux', 1738300000000, 1738310000000)`,
    `insert into marquee_webhooks values
      ('wh_1', 'Chat', 'https://hooks.example/', '["event.*","alert.*"]', 'format=online', 'salt', 'Abv19q8w',
        null, null, null, 1738300000000, 'active', null, null)`,
    `insert into marquee_deliveries values
      ('msg_1', 'webhook', 'wh_1', '{"type":"event.added"}', 1, 1738317600000, null, 1, 1738317601000, 20, '204',
        'delivered', null, null),
      ('msg_2', 'webhook', 'wh_1', '{"type":"event.changed"}', 2, 1738317700000, 32503680000000, 1, 1738317701000,
        20, '503', null, null, null),
      ('msg_3', 'mail', 'mail sub_1', '{}', 3, 1738317800000, 1738317800000, 0, null, null, null, null, null, null)`,
    `insert into marquee_mail_subscriptions values
      ('sub_1', 'reader@mail.example', '?format=online', 1, 8, 'Europe/Lisbon', 1738300000000, 32503680000000, 0)`,
    `insert into marquee_mail_confirmations values
      ('mailbox-of-reader', 'con_1', null, 0, 1738300000000, 1738300100000)`,
    `insert into marquee_mail_mentions values
      ('sub_1', 'recLantern', '["new","28"]',
        '{"state":"scheduled","startDate":"2026-12-12","endDate":"2026-12-14","startTime":null,"place":null}',
        1, 1738310000000)`,
    `insert into marquee_audit_log values
      (1, 'audit_1', 1738368000000, '2025-02-01', null, 'member.budget', 'mbr_ada', 'mbr_ada', '{"budget":null}',
        '{"budget":"{\\"tokensPerDay\\":1000,\\"tokensPerMonth\\":null,\\"nanoUsdPerDay\\":null,\\"nanoUsdPerMonth\\":5000000000}"}',
        '{"actor_id":"ihmUEdtqG5-iaeJeLnmPRA.4d1d49f39de3e203c7fe6dd645f0ad09649d29f0bc76013b98255fde6ef83735","target":"sfeX8F29wFqqJ4LYYAmKyA.e48e1219f735b036ecc0d9325cc5d1b89eef2af73ea239568f8b9d0b65fa4b79","member_id":"7XG5ebI6aJqd7y1QD6Ty3A.5a44d88598abcf19164301b52819c035bfaa7dad400c79112127fc4f66908b7f"}',
        'b9fae6418732faf9ca789b335b8dc94f294354f52cea680142b67c152174d649'),
      (2, 'audit_2', 1738368060000, '2025-02-01', 'mbr_ada', 'key.created', 'key_ada', 'mbr_ada', null,
        '{"models":"[\\"lantern-demo/*\\"]"}',
        '{"actor_id":"Ib9wJY2ltd50TzwsS3fiGA.6caa9560c9b80cadfef20a88fd37b3e6cf94df612cf4c53a003d797c0856218a","target":"4RrvS25VqWywlViOmzCPSA.78e1f176df33fe8b55ab71d5c12f81969f187e8a7f459b8bd474b18d02dc0940","member_id":"GQUAIaFOaKLMyeaJIfFHJg.6daf59f9ec51e3d9eb23ef76857030f9495f0efab879aacf0c8fd001120eff50"}',
        '1d86389a416c52e14058e6f2b8aa90e1fcae779bd1862b65bb4903c076cd672e')`,
    `update marquee_audit_head set position = 2,
      hash = '1d86389a416c52e14058e6f2b8aa90e1fcae779bd1862b65bb4903c076cd672e'`,
    `insert into marquee_event_history values
      ('recLantern', 'digest-of-before', 'fingerprint-of-before', 3, '${storedEvent}', null, null)`,
    `insert into marquee_event_changes values
      (1, 1738317600000, '2025-01-31', 'event.added', 0, '${storedChange}')`,
    `update marquee_event_history_head set position = 1, read_at = 1738317600000, day = '2025-01-31',
      table_name = 'app/Events'`,
    `insert into marquee_event_slugs values ('lamp-jam', 'recLantern', 1738300000000)`,
    `insert into marquee_event_tables values ('app/Events', 1, 2, '["Name"]')`,
    `insert into marquee_airtable_calls values ('2025-01', 42)`,
    `insert into marquee_alerts values ('budget', '2025-01', 1738317600000)`,
  ];
}
