import { expect, test } from 'vitest';
import { isFull } from '#lib/events/model/status.ts';
import { toChannelUrl, toJoinAction } from '#lib/events/view/join-action.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';

const workspace = 'https://makers.slack.example';
const url = 'https://lantern.example/';

const withoutUrl = makeEvent({ url: null, slackChannel: 'lantern-jam', slackUrl: null });
const alone = makeEvent({ url: null, slackChannel: null, slackUrl: null, inPerson: null });

test.for(['upcoming', 'ongoing'] as const)('an %s event leads to its own site', (status) => {
  expect(toJoinAction(makeEvent({ url, status }), null)).toEqual({
    kind: 'link',
    url,
    label: 'Join',
    host: 'lantern.example',
    isQuiet: false,
  });
});

test.for([
  ['https://www.lantern.example/jam?from=list', 'lantern.example'],
  ['http://lantern.example:8080', 'lantern.example:8080'],
] as const)('the button for %s names %s', ([own, host]) => {
  expect(toJoinAction(makeEvent({ url: own, status: 'upcoming' }), null)).toMatchObject({ host });
});

test.for([
  ['ended', 'scheduled'],
  ['upcoming', 'cancelled'],
  ['ongoing', 'cancelled'],
  ['upcoming', 'postponed'],
] as const)('nothing is left to join when an event is %s and %s', ([status, state]) => {
  expect(toJoinAction(makeEvent({ url, status, state }), workspace)).toEqual({
    kind: 'link',
    url,
    label: 'Website',
    host: null,
    isQuiet: true,
  });
  expect(toJoinAction({ ...withoutUrl, status, state }, workspace)).toBeNull();
});

test('a full event has no button to join', () => {
  const full = { status: 'upcoming', placesLeft: 0 } as const;
  expect(toJoinAction(makeEvent({ ...full, url }), workspace)).toMatchObject({
    label: 'Website',
    isQuiet: true,
  });
  expect(toJoinAction({ ...withoutUrl, ...full }, workspace)).toBeNull();
  expect(isFull(makeEvent(full))).toBe(true);
  expect(isFull(makeEvent({ ...full, status: 'ended' }))).toBe(false);
  expect(isFull(makeEvent({ ...full, placesLeft: 1 }))).toBe(false);
  expect(isFull(makeEvent({ ...full, placesLeft: null }))).toBe(false);
});

test('an event that was moved online can be joined', () => {
  const event = makeEvent({ url, state: 'moved-online' });
  expect(toJoinAction(event, null)).toMatchObject({ label: 'Join', isQuiet: false });
});

test('without a website, the Slack channel is the way in', () => {
  expect(toJoinAction({ ...withoutUrl, slackUrl: 'https://chat.example/C1' }, null)).toEqual({
    kind: 'link',
    url: 'https://chat.example/C1',
    label: 'Join #lantern-jam on Slack',
    host: null,
    isQuiet: false,
  });
  expect(toJoinAction(withoutUrl, workspace)).toMatchObject({
    url: 'https://makers.slack.example/app_redirect?channel=lantern-jam',
  });
});

test('a Slack link without a channel’s name', () => {
  const event = { ...alone, slackUrl: 'https://chat.example/C1' };
  expect(toJoinAction(event, null)).toMatchObject({ label: 'Join the Slack channel' });
});

test('without any link, words say what to do', () => {
  const wordsOf = (event: typeof alone) => {
    const action = toJoinAction(event, null);
    return action?.kind === 'words' ? action.words : action;
  };
  expect(wordsOf(withoutUrl)).toBe('To join, say hello in #lantern-jam on Slack.');
  expect(wordsOf(makeEvent({ ...alone, inPerson: makeEvent().inPerson }))).toBe(
    'There is no sign-up page. Just come along.',
  );
  expect(wordsOf(alone)).toBe('There is no link to join yet. Check back closer to the date.');
  expect(wordsOf({ ...alone, status: 'ongoing' })).toBe('There is no link to join.');
});

test('a channel’s name is escaped in its URL', () => {
  const event = makeEvent({ slackChannel: 'a&b=c d', slackUrl: null });
  expect(toChannelUrl(event, workspace)).toBe(`${workspace}/app_redirect?channel=a%26b%3Dc%20d`);
  expect(toChannelUrl(event, null)).toBeNull();
});
