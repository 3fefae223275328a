import { Icon } from './icon.tsx';

type CopyButtonProps = Readonly<{
  /** What is copied; an address that begins with a slash is made absolute. */
  text: string;
  /** What it is, as in “Copy {name}”. */
  name: string;
}>;

/** Copies a text, and says so. The script in the head does it, so it works before anything has loaded. */
export function CopyButton({ text, name }: CopyButtonProps) {
  return (
    <button
      type="button"
      className="icon-button copy-button only-with-script"
      data-copy={text}
      aria-label={`Copy ${name}`}
      title={`Copy ${name}`}
    >
      <Icon name="copy" />
      <Icon name="done" />
    </button>
  );
}
