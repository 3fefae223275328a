import { z } from 'zod';
import {
  hostList,
  origin,
  pairs,
  timeZone,
  webUrl,
  wholeNumberIn,
  wholeNumberSetting,
  word,
} from '../setting-schemas.ts';
import { setting } from './setting.ts';

const withoutTable = 'none: events return 500 with a hint';

export const eventsSettings = {
  AIRTABLE_TOKEN: setting(word(1000).optional(), {
    meaning: 'personal access token for the base, with the scope `data.records:read`',
    expected: 'a personal access token, without spaces',
    unset: withoutTable,
    secret: true,
  }),
  AIRTABLE_BASE_ID: setting(
    z
      .string()
      .regex(/^[\w-]{1,100}$/)
      .optional(),
    {
      meaning: 'id of the base, such as `appA1b2C3d4E5f6G7`',
      expected: 'the id of a base, such as appA1b2C3d4E5f6G7',
      unset: withoutTable,
    },
  ),
  AIRTABLE_TABLE: setting(z.string().max(200).default('Events'), {
    meaning: 'the events table, by name or id',
    expected: 'the name or the id of a table',
  }),
  AIRTABLE_VIEW: setting(z.string().max(200).optional(), {
    meaning: 'a view of that table, by name or id: only its rows are read',
    expected: 'the name or the id of a view',
    unset: 'all rows',
  }),
  AIRTABLE_API_URL: setting(webUrl.default('https://api.airtable.com'), {
    meaning: 'URL of the Airtable Web API',
    expected: 'an http(s) URL, such as https://api.airtable.com',
  }),
  AIRTABLE_ATTACHMENT_HOSTS: setting(
    hostList.default(['dl.airtable.com', 'v5.airtableusercontent.com']),
    {
      meaning: 'hosts that pictures may be fetched from, in addition to the API’s own',
      expected: 'hosts, separated by commas, such as dl.airtable.com,v5.airtableusercontent.com',
    },
  ),
  AIRTABLE_CALLS_PER_MONTH: setting(wholeNumberIn(1, 999_999_999).optional(), {
    meaning: 'calls that the Airtable plan allows: `doctor` and the admin page warn at 80%',
    expected: 'a whole number from 1 to 999,999,999',
  }),
  EVENTS_COLUMNS: setting(pairs.default({}), {
    meaning:
      'what the table calls its columns, where it calls them otherwise: `Name=Event title, Start Date=When`',
    expected:
      'pairs of a column and its name in the table, such as Name=Event title, Start Date=When',
    unset: 'the names of `/docs/events-table`',
  }),
  EVENTS_TIME_ZONE: setting(timeZone.default('UTC'), {
    meaning: 'time zone of the site’s days, and of events without a zone or place of their own',
    expected: 'an IANA time zone, such as Europe/Lisbon',
  }),
  EVENTS_CACHE_SECONDS: setting(wholeNumberSetting(1, 240, 240), {
    meaning: 'age at which events are read again, 1–240; up to 300 s if that fails',
    expected: 'a whole number from 1 to 240',
  }),
  TABLE_HOOK_SECRET: setting(word(1000).min(16).optional(), {
    meaning: 'secret of `POST /hooks/table-changed`, which makes the site read the table',
    expected: 'a secret of 16 to 1000 characters without spaces',
    secret: true,
  }),
  SLACK_WORKSPACE_URL: setting(origin.optional(), {
    meaning: 'Slack workspace, to link the events’ channels by name',
    expected: 'the https URL of a workspace, such as https://makers.slack.com',
  }),
} as const;
