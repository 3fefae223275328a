/** The data of the last frame of every stream. */
export const doneData = '[DONE]';
export const doneFrame = `data: ${doneData}\n\n`;

/** A comment, which clients ignore: it keeps intermediaries from closing a silent stream. */
export const heartbeatFrame = ': \n\n';

/** A frame of a chat stream. `data` has no line breaks: it is JSON on one line. */
export function toSseFrame(data: string): string {
  return `data: ${data}\n\n`;
}

/** A frame of a Responses stream. */
export function toNamedSseFrame(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}

/** JSON on one line. A line break in JSON is always white space, so it can become a space. */
export function toSingleLine(data: string): string {
  return data.includes('\n') ? data.replaceAll('\n', ' ') : data;
}
