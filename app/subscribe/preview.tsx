import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { previewCount } from '#lib/representations/markdown/pages/subscribe.ts';
import { AgendaEvent } from '../_components/events/agenda-event.tsx';

type PreviewProps = Readonly<{
  /** Those that are on, and those coming up. */
  events: readonly MarqueeEvent[];
  /** The name of the subscription. */
  title: string;
  today: string;
}>;

/** The next events of a subscription. */
export function Preview({ events, title, today }: PreviewProps) {
  const { length } = events;
  return (
    <section className="subscribe-preview" aria-labelledby="preview">
      <h2 id="preview">What you get</h2>
      <p className="quiet">
        “<bdi>{title}</bdi>”, with{' '}
        {length === 1 ? '1 event' : `${length.toLocaleString('en')} events`} on now or coming up.
      </p>
      {length === 0 ? (
        <p>Nothing yet. Subscribe, and the first event will find you.</p>
      ) : (
        <ul className="agenda-list">
          {events.slice(0, previewCount).map((event) => (
            <AgendaEvent key={event.id} event={event} today={today} />
          ))}
        </ul>
      )}
    </section>
  );
}
