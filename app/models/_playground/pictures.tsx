import { type ClipboardEvent, useEffect, useEffectEvent, useState } from 'react';
import { announce } from '../../_components/announcement.tsx';

/** Models look at no more pixels, and the body of a request has a bound. */
const sideMax = 1_568;
const picturesMax = 4;

type Pictures = Readonly<{
  /** Data URLs. */
  urls: readonly string[];
  set: (urls: readonly string[]) => void;
  /** Adds what is a picture among files. */
  add: (files: Iterable<File>) => Promise<void>;
  /** For an element where pictures may be pasted. */
  onPaste: (event: ClipboardEvent) => void;
}>;

/** The pictures of the next message. They may be dropped anywhere on the page. */
export function usePictures(isOn: boolean): Pictures {
  const [urls, set] = useState<readonly string[]>([]);

  async function add(files: Iterable<File>): Promise<void> {
    const images = [...files].filter(({ type }) => type.startsWith('image/'));
    const added: string[] = [];
    for (const image of images) {
      const url = await toPicture(image).catch(() => null);
      if (url === null) announce(`${image.name || 'This picture'} cannot be read`);
      else added.push(url);
    }
    set((before) => [...before, ...added].slice(-picturesMax));
  }

  function take(event: Pick<Event, 'preventDefault'>, files: FileList | undefined): void {
    if (files === undefined || files.length === 0) return;
    event.preventDefault();
    if (isOn) add(files);
    else announce('This model doesn’t take pictures');
  }

  const onDrop = useEffectEvent((event: DragEvent) => take(event, event.dataTransfer?.files));

  // A file dropped beside the message would replace the page, and the conversation with it.
  useEffect(() => {
    const listeners = new AbortController();
    document.addEventListener('dragover', allowFiles, listeners);
    document.addEventListener('drop', onDrop, listeners);
    return () => listeners.abort();
  }, []);

  return { urls, set, add, onPaste: (event) => take(event, event.clipboardData.files) };
}

function allowFiles(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
}

/** A JPEG of a picture, not larger than models see. @throws DOMException if the browser cannot read it. */
async function toPicture(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, sideMax / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new TypeError('This browser can’t resize pictures.');
  // What is transparent would be black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.toDataURL('image/jpeg', 0.85);
}

/** Adds pictures by a file dialog. */
export function PictureButton({ onAdd }: Readonly<{ onAdd: Pictures['add'] }>) {
  return (
    <label className="button-quiet picture-button">
      <input
        type="file"
        accept="image/*"
        multiple
        className="visually-hidden"
        onChange={({ currentTarget }) => {
          onAdd([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      Add pictures
    </label>
  );
}

type PictureListProps = Readonly<{
  urls: readonly string[];
  onRemove?: (url: string) => void;
}>;

/** Pictures of a message, small. */
export function PictureList({ urls, onRemove }: PictureListProps) {
  if (urls.length === 0) return null;
  return (
    <ul className="picture-list">
      {urls.map((url, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may be there twice
        <li key={index}>
          {/* biome-ignore lint/performance/noImgElement: it comes from this page */}
          <img src={url} alt={`${index + 1}`} />
          {onRemove && (
            <button
              type="button"
              className="button-quiet"
              aria-label={`Remove picture ${index + 1}`}
              onClick={() => onRemove(url)}
            >
              Remove
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
