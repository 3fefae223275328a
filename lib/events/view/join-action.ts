import type { MarqueeEvent } from '../model/schema.ts';
import { toWebsiteLabel } from '../model/status.ts';
import { toLinkName } from '../words/clean-text.ts';
import { toPlace } from './event-facts.ts';

/** How to join an event: a link, or what to do in words. */
export type JoinAction =
  | Readonly<{
      kind: 'link';
      url: string;
      label: string;
      /** The website that it leads to; null where the label says enough. */
      host: string | null;
      /** The event cannot be joined; the link is for further reading. */
      isQuiet: boolean;
    }>
  | Readonly<{ kind: 'words'; words: string }>;

type JoinableEvent = Pick<
  MarqueeEvent,
  | 'url'
  | 'status'
  | 'state'
  | 'format'
  | 'inPerson'
  | 'place'
  | 'placesLeft'
  | 'slackChannel'
  | 'slackUrl'
>;

/**
 * How to join an event; null if it is over or full and has no website.
 * @param slackWorkspaceUrl of the workspace that the events' channels belong to; null if unknown.
 */
export function toJoinAction(
  event: JoinableEvent,
  slackWorkspaceUrl: string | null,
): JoinAction | null {
  const { url } = event;
  const label = toWebsiteLabel(event);
  const isQuiet = label === 'Website';
  if (url !== null) {
    return { kind: 'link', url, label, host: isQuiet ? null : toLinkName(url), isQuiet };
  }
  if (isQuiet) return null;
  const channelUrl = toChannelUrl(event, slackWorkspaceUrl);
  const name = toChannelName(event);
  if (channelUrl !== null) {
    return { kind: 'link', url: channelUrl, label: `Join ${name}`, host: null, isQuiet: false };
  }
  return { kind: 'words', words: describeJoining(event) };
}

/** The URL of an event's Slack channel; null if there is none, or its workspace is unknown. */
export function toChannelUrl(
  { slackChannel, slackUrl }: Pick<MarqueeEvent, 'slackChannel' | 'slackUrl'>,
  slackWorkspaceUrl: string | null,
): string | null {
  if (slackUrl !== null || slackChannel === null || slackWorkspaceUrl === null) return slackUrl;
  // https://api.slack.com/docs/deep-linking: a channel's name does where its id is unknown.
  return `${slackWorkspaceUrl}/app_redirect?channel=${encodeURIComponent(slackChannel)}`;
}

/** An event’s Slack channel in words. */
function toChannelName({ slackChannel }: Pick<MarqueeEvent, 'slackChannel'>): string {
  return slackChannel === null ? 'the Slack channel' : `#${slackChannel} on Slack`;
}

function describeJoining(event: JoinableEvent): string {
  if (event.slackChannel !== null) return `To join, say hello in ${toChannelName(event)}.`;
  if (toPlace(event) !== null) return 'There is no sign-up page. Just come along.';
  return event.status === 'ongoing'
    ? 'There is no link to join.'
    : 'There is no link to join yet. Check back closer to the date.';
}
