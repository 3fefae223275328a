const lengthMax = 400;

/** About our account, plan or provider, which clients must not see. */
const accountWords =
  /\b(?:account|organi[sz]ations?|billing|credits?|quota|subscription|payments?|invoice|api[ _-]?keys?|tenant|workspace|provider)\b/i;

const secretShapes: readonly RegExp[] = [
  // URLs, e-mail addresses, hosts and IP addresses.
  /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi,
  /\bwww\.\S+/gi,
  /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|ai|dev|cloud|app|local|internal|example)\b(?:[:/]\S*)?/gi,
  // Any other host name; in quotation marks it is a field path.
  /(?<![\w.'"`-])(?:(?=[\d-]*[a-z])[a-z0-9-]+\.){2,}[a-z]{2,}\b/gi,
  // Keys and ids: a known prefix, or a long run of letters and digits.
  /\b(?:sk|pk|rk)[-_][\w.-]*\w|\bbearer [\w.-]+/gi,
  /\b(?:key|org|proj|user|acct|req|gen|chatcmpl|resp)[-_](?=[\w.-]*\d)[\w.-]{5,}\w/gi,
  /\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}/gi,
];

/**
 * An upstream's message about a client error, safe to show: one line, without URLs, keys and ids.
 * Null if it is about our account there, or empty.
 */
export function toPublicText(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const line = text
    .slice(0, 4 * lengthMax)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
  if (line === '' || accountWords.test(line)) return null;
  const clean = secretShapes.reduce((left, shape) => left.replace(shape, '…'), line);
  return clean.length > lengthMax ? `${clean.slice(0, lengthMax)}…` : clean;
}

/** A path to a field of the request, such as `messages[0].content`; null for anything else. */
export function toPublicParam(param: unknown): string | null {
  return typeof param === 'string' && /^[a-z_][\w.[\]-]{0,99}$/i.test(param) ? param : null;
}
