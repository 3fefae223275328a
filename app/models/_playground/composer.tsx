import { type ClipboardEvent, type FormEvent, type MouseEvent, type ReactNode, useId } from 'react';
import { useEarlyInput } from '../../_components/fields/controlled-fields.tsx';
import { useIsHydrated } from '../../_components/script-button.tsx';

export const examplePrompt = 'Name three constellations and how to find them.';

type ComposerProps = Readonly<{
  prompt: string;
  onPrompt: (prompt: string) => void;
  onSend: (event: FormEvent) => void;
  isBusy: boolean;
  onStop: () => void;
  /** Begins a new chat; null: this one is empty. */
  onClear: (() => void) | null;
  /** Why nothing can be sent; null: it can. */
  offReason: string | null;
  /** Whether the message has pictures, and needs no text. */
  hasPictures: boolean;
  /** Takes pictures. */
  onPaste: (event: ClipboardEvent) => void;
  /** The pictures of the message, above its buttons. */
  pictures: ReactNode;
  pictureButton: ReactNode;
}>;

/** The message, and the buttons of the chat. */
export function Composer(props: ComposerProps) {
  const { prompt, onPrompt, onSend, isBusy, onStop, onClear, offReason, hasPictures } = props;
  const promptId = useId();
  const offId = useId();
  const promptField = useEarlyInput<HTMLTextAreaElement>(prompt, onPrompt);
  const isHydrated = useIsHydrated();

  /** React makes the same element the button that sends before the browser acts on the click. */
  function onlyStop(event: MouseEvent): void {
    event.preventDefault();
    onStop();
  }

  return (
    <div className="playground-composer" onPaste={props.onPaste}>
      <p className="field">
        <label htmlFor={promptId}>Message</label>
        <textarea
          ref={promptField}
          id={promptId}
          required={!hasPictures}
          value={prompt}
          placeholder={examplePrompt}
          onChange={(event) => onPrompt(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend(event);
          }}
        />
      </p>
      {props.pictures}
      <p className="playground-actions">
        {isBusy ? (
          <button type="button" className="button" onClick={onlyStop}>
            Stop
          </button>
        ) : (
          <button
            type="submit"
            className="button"
            disabled={!isHydrated || offReason !== null}
            onClick={ignoreSecondClick}
            aria-describedby={offReason === null ? undefined : offId}
          >
            Send
          </button>
        )}
        {props.pictureButton}
        {onClear !== null && (
          <button type="button" className="button-quiet" onClick={onClear}>
            New chat
          </button>
        )}
        <span id={offId} className={`field-hint${offReason === null ? ' send-keys' : ''}`}>
          {offReason ?? 'Send with Ctrl+Enter or ⌘+Enter.'}
        </span>
      </p>
    </div>
  );
}

/** The one of a double click on Stop. */
function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}
