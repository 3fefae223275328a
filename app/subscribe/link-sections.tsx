import {
  calendarPrograms,
  type Subscription,
  type toFeedLinks,
} from '#lib/events/view/subscription.ts';
import { CopyButton } from '../_components/copy-button.tsx';

/** Events in a calendar: its URL, and three steps for each calendar program. */
export function CalendarSection({ subscription }: Readonly<{ subscription: Subscription }>) {
  return (
    <section aria-labelledby="calendar">
      <h2 id="calendar">In your calendar</h2>
      <LinkField id="calendar-link" label="Calendar link" url={subscription.calendar} />
      <p className="notice">
        <strong>A subscription updates by itself:</strong> new events appear, and changed dates
        move. A{' '}
        <a href={subscription.calendar} download>
          downloaded file
        </a>{' '}
        never changes.
      </p>
      <ul className="program-list">
        {calendarPrograms.map(({ name, link, action, steps, delay }) => (
          <li key={name} className="program">
            <h3>{name}</h3>
            <ol>
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <p className="row program-action">
              <a className="button" href={subscription[link]}>
                {action}
              </a>
              {link === 'outlook' && <a href={subscription.office}>Work or school account</a>}
            </p>
            <p className="field-hint">{delay}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

type FeedSectionProps = Readonly<{
  feeds: ReturnType<typeof toFeedLinks>;
  /** The feed of what has changed. */
  changesRss: string;
}>;

/** Newly announced events in a feed reader. */
export function FeedSection({ feeds, changesRss }: FeedSectionProps) {
  return (
    <section aria-labelledby="feeds">
      <h2 id="feeds">In your feed reader</h2>
      <p>
        One entry for each new event, when it is announced. Paste one of the links into your reader.
      </p>
      <div className="feed-links">
        {feeds.map(({ type, title, url }) => (
          <LinkField key={type} id={`${type}-link`} label={`${title} link`} url={url} />
        ))}
      </div>
      <p>
        Already made plans? This feed tells you which events were moved, cancelled or removed. You
        can also <a href="/changes">read it here</a>.
      </p>
      <div className="feed-links">
        <LinkField id="changes-link" label="RSS link of changes" url={changesRss} />
      </div>
    </section>
  );
}

type LinkFieldProps = Readonly<{
  id: string;
  label: string;
  url: string;
}>;

/** A URL to copy: with a button, or from the field where there are no scripts. */
function LinkField({ id, label, url }: LinkFieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="link-field">
        <input id={id} className="mono" readOnly value={url} />
        <CopyButton text={url} name={`the ${label}`} />
      </div>
    </div>
  );
}
