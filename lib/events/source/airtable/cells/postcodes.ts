/** Of the United Kingdom and Canada. */
const letterPostcode = '(?:[A-Z]{1,2}\\d[A-Z\\d]?\\s?\\d[A-Z]{2}|[A-Z]\\d[A-Z]\\s?\\d[A-Z]\\d)';

/** `1000 Brussels`, `D-10115 Berlin`, `London WC1E 7HX`, `Nedlands 6009`, `NY 10001`. */
export function withoutPostcode(text: string): string {
  return text
    .replace(/^(?:[A-Z]{1,2}-)?(?:\d{4,6}|\d{3} \d{2})\s+(?=\p{L})/u, '')
    .replace(new RegExp(`\\s+${letterPostcode}(?=\\s*(?:,|$))`, 'i'), '')
    .replace(/(?<=\p{L})\s+\d{4,6}(?=\s*(?:,|$))/u, '')
    .replace(/(?<=\b[A-Z]{2})\s+\d{5}(?:-\d{4})?(?=\s*(?:,|$))/, '');
}

/** A postcode alone. */
export function isPostcode(text: string): boolean {
  return (
    /^(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{4})?$/.test(text) ||
    new RegExp(`^${letterPostcode}$`, 'i').test(text)
  );
}
