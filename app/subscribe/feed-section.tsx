import type { Subscription } from '#lib/events/view/subscription.ts';
import { LinkField } from './link-field.tsx';

/** Newly announced events in a feed reader. */
export function FeedSection({ subscription }: Readonly<{ subscription: Subscription }>) {
  return (
    <section aria-labelledby="feeds">
      <h2 id="feeds">In your feed reader</h2>
      <p>One entry for each new event, when it is announced. Paste either link into your reader.</p>
      <div className="feed-links">
        <LinkField id="rss-link" label="RSS link" url={subscription.rss} />
        <LinkField id="json-link" label="JSON Feed link" url={subscription.jsonFeed} />
      </div>
    </section>
  );
}
