import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toChannelUrl } from '#lib/events/words/join-action.ts';
import { Fact } from '../../../_components/fact.tsx';

type EventLinksProps = Readonly<{ event: MarqueeEvent; slackWorkspaceUrl: string | null }>;

/** Links to an event's channel and its own site. */
export function EventLinks({ event, slackWorkspaceUrl }: EventLinksProps) {
  const { url, slackChannel } = event;
  const channelUrl = toChannelUrl(event, slackWorkspaceUrl);
  const channel = slackChannel === null ? 'Slack' : `#${slackChannel}`;
  if (url === null && channelUrl === null && slackChannel === null) return null;
  return (
    <section aria-labelledby="links">
      <h2 id="links">Links</h2>
      <dl className="event-facts">
        {url !== null && (
          <Fact term="Website">
            <a href={url}>{new URL(url).host}</a>
          </Fact>
        )}
        {(channelUrl !== null || slackChannel !== null) && (
          <Fact term="Slack">
            {channelUrl === null ? channel : <a href={channelUrl}>{channel}</a>}
          </Fact>
        )}
      </dl>
    </section>
  );
}
