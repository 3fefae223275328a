import { useCopy } from '../_components/copy-button.tsx';
import { Icon } from '../_components/icon.tsx';

/** Ways to take a list along: its calendar, and a link that opens it elsewhere. */
export function ListLinks({ ids }: Readonly<{ ids: readonly string[] }>) {
  const { isCopied, copy } = useCopy();
  const list = ids.toSorted().join(',');
  const calendar = `/api/v1/events/calendar.ics?id=${list}`;
  const copyLink = () => copy(new URL(`/saved?id=${list}`, location.href).href);
  return (
    <div className="list-links">
      <p className="row">
        {/* `webcal:` opens a calendar program, which asks for the file by HTTP(S). */}
        <a className="button-quiet" href={`webcal://${location.host}${calendar}`}>
          <Icon name="bell" />
          Subscribe in a calendar
        </a>
        <a className="button-quiet" href={calendar}>
          <Icon name="calendar" />
          Calendar file
        </a>
        <button type="button" className="button-quiet" onClick={copyLink}>
          <Icon name={isCopied ? 'done' : 'copy'} />
          Copy link to this list
        </button>
      </p>
      <p className="quiet">
        A calendar you subscribe to keeps up with these events. It doesn’t get others that you save
        later. The link opens this list on another device, or for a friend.
      </p>
    </div>
  );
}
