import { expect, test } from 'vitest';
import { details } from '#lib/events/model/field-lists.ts';
import { eventSchema } from '#lib/events/model/schema.ts';
import { toEvent } from '#lib/events/source/airtable/to-event.ts';
import { toJsonFeed } from '#lib/representations/feeds/json-feed.ts';
import { toRss } from '#lib/representations/feeds/rss.ts';
import { toEventMarkdown } from '#lib/representations/markdown/pages/event.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';
import { testSite as site } from '../../../support/test-site.ts';
import { makeRecord } from '../../../support/upstreams/upstream.ts';

const feed = { site, selfUrl: 'https://events.example/feed', changedAtMs: 0 };

test.for(details)('$name is read, published, and shown where its row says', async (detail) => {
  const { name, column, label, example, shownIn } = detail;
  const { draft, problems } = toEvent(makeRecord({ [column]: example }), 'UTC');
  expect(problems).toEqual([]);
  expect(draft).toHaveProperty(name, example);
  expect(eventSchema.shape[name].parse(example)).toBe(example);

  const event = { ...makeEvent(), [name]: example };
  expect(toEventMarkdown(event, { site })).toMatch(new RegExp(`\\| ${label} +\\| ${example} +\\|`));
  const { items } = JSON.parse(await toJsonFeed([event], feed));
  const isInJson = shownIn.some((place) => place === 'feedJson');
  expect(items[0]._marquee[name]).toBe(isInJson ? example : undefined);
  const isInText = shownIn.some((place) => place === 'feedText');
  expect((await toRss([event], feed)).includes(`${label}: ${example}`)).toBe(isInText);
});

test.for(details)('an empty $name is not shown', async ({ name, label }) => {
  expect(toEventMarkdown(makeEvent(), { site })).not.toContain(`| ${label} `);
  expect(await toJsonFeed([makeEvent()], feed)).not.toContain(`"${name}"`);
});
