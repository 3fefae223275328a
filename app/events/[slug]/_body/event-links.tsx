import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { toChannelUrl } from '#lib/events/view/words/join-action.ts';

type EventLinksProps = Readonly<{ event: MarqueeEvent; slackWorkspaceUrl: string | null }>;

/** Where an event is talked about, and its own site. */
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
          <div>
            <dt>Website</dt>
            <dd>
              <a href={url}>{new URL(url).host}</a>
            </dd>
          </div>
        )}
        {(channelUrl !== null || slackChannel !== null) && (
          <div>
            <dt>Slack</dt>
            <dd>{channelUrl === null ? channel : <a href={channelUrl}>{channel}</a>}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
