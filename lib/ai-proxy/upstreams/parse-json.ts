/** JSON as it is; undefined for anything else. The parser's own error would quote the text, so it is dropped. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
