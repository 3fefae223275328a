import type { Subscription } from '#lib/events/view/subscription.ts';
import { Address } from './address.tsx';

/** Newly announced events in a feed reader. */
export function FeedSection({ subscription }: Readonly<{ subscription: Subscription }>) {
  return (
    <section aria-labelledby="feeds">
      <h2 id="feeds">In your feed reader</h2>
      <p>
        One entry for each new event, when it is announced. Paste either address into your reader.
      </p>
      <div className="feed-addresses">
        <Address id="rss-address" label="RSS address" url={subscription.rss} />
        <Address id="json-address" label="JSON Feed address" url={subscription.jsonFeed} />
      </div>
    </section>
  );
}
