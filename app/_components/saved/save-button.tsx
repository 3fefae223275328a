'use client';

import { type SavedEvent, toSavedEvent } from '#lib/events/view/saved-events.ts';
import { Icon } from '../icon.tsx';
import { ScriptButton } from '../script-button.tsx';
import { removeEvent, saveEvents, useSavedEvents } from './use-saved-events.ts';
import './saved.css';

type SaveButtonProps = Readonly<{
  event: Parameters<typeof toSavedEvent>[0];
  className: string;
  /** Whether there is room for a word beside the icon. */
  hasWord: boolean;
}>;

/** Saves an event to the list of this browser, or removes it. Not offered without script. */
export function SaveButton({ event, className, hasWord }: SaveButtonProps) {
  const isSaved = useSavedEvents().some(({ id }) => id === event.id);
  const now: SavedEvent = toSavedEvent(event);
  return (
    <ScriptButton
      className={`save-button ${className}`}
      data-saved={isSaved ? '' : undefined}
      aria-label={isSaved ? `Saved: remove ${now.name} from My list` : `Save ${now.name}`}
      title={isSaved ? 'Remove from My list' : 'Save to My list'}
      onClick={() => (isSaved ? removeEvent(event.id) : saveEvents(now))}
    >
      <Icon name="save" />
      {hasWord && (isSaved ? 'Saved' : 'Save')}
    </ScriptButton>
  );
}
