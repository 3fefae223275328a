/** One server-sent event as it was received: its name (null where none was given) and its data. */
export type SseFrame = Readonly<{ event: string | null; data: string }>;

/** The last frame of every stream, chat and Responses alike. */
export const doneData = '[DONE]';
export const doneFrame = `data: ${doneData}\n\n`;

/** Keeps machines in between from closing a silent stream. A comment: no client sees it. */
export const heartbeatFrame = ': \n\n';

/** A frame without a name, as chat streams have it. `data` holds no line ends: it is JSON of one line. */
export function toSseFrame(data: string): string {
  return `data: ${data}\n\n`;
}

/** A frame with a name, as Responses streams have it. */
export function toNamedSseFrame(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}

/** The data of a frame as one line. A line end in JSON is only ever white space, so it may be a space. */
export function toSingleLine(data: string): string {
  return data.includes('\n') ? data.replaceAll('\n', ' ') : data;
}
