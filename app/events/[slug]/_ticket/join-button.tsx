import type { JoinAction } from '#lib/events/words/join-action.ts';
import { Icon } from '../../../_components/icon.tsx';

/** The one big button of an event's page, a quiet link once it is over, or what to do in words. */
export function JoinButton({ action }: Readonly<{ action: JoinAction }>) {
  if (action.kind === 'words') return <p className="join-words">{action.words}</p>;
  return (
    <a className={action.isQuiet ? 'join-link' : 'join-button'} href={action.url}>
      <span className="join-label">
        {action.label}
        <Icon name="leave" />
      </span>
      {action.host !== null && <span className="join-host">on {action.host}</span>}
    </a>
  );
}
