const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;

const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** Browser and system of a User-Agent header, such as “Firefox on Linux”: all that is stored of it. */
export function describeDevice(userAgent: string | null): string {
  const text = (userAgent ?? '').slice(0, 1000);
  const browser = browsers.find(([, pattern]) => pattern.test(text))?.[0] ?? 'A browser';
  const system = systems.find(([, pattern]) => pattern.test(text))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}
