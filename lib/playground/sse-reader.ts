/**
 * Takes the data out of server-sent events as their text arrives, cut anywhere (WHATWG HTML §9.2.6).
 * Names of events are left out: what a model sends says its type in its data.
 */
export type SseReader = Readonly<{
  /** @returns the data of every event that is complete by now. */
  push: (text: string) => string[];
}>;

export function createSseReader(): SseReader {
  let rest = '';
  let data: string[] = [];
  return {
    push(text) {
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      const complete: string[] = [];
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) complete.push(data.join('\n'));
          data = [];
        } else if (line.startsWith('data:')) {
          data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
        }
      }
      return complete;
    },
  };
}
