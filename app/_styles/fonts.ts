import localFont from 'next/font/local';

// Next reads these calls while it builds: every value has to be a literal. `npm run fonts` writes the files.
// Each face names its letters, so that others come from the system alone. None is preloaded: the browser
// would hold back the first paint for it, by 0.3 s on a slow phone.

/** Text. */
const text = localFont({
  src: './fonts/text.woff2',
  variable: '--font-text',
  display: 'swap',
  preload: false,
  adjustFontFallback: 'Arial',
  declarations: [
    { prop: 'font-weight', value: '400 800' },
    {
      prop: 'unicode-range',
      value: 'U+20-7E, U+A0-FF, U+2010-203A, U+20AC, U+2122, U+2190-2193, U+2212',
    },
  ],
});

/** Letters such as ł and ő: browsers fetch it only for pages that contain one. */
const textExtended = localFont({
  src: './fonts/text-extended.woff2',
  variable: '--font-text-extended',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    { prop: 'font-weight', value: '400 800' },
    {
      prop: 'unicode-range',
      value: 'U+0100-017E, U+0218-021B, U+1E9E',
    },
  ],
});

/** Large headings and posters: the same family with a width axis, in one weight. */
const display = localFont({
  src: './fonts/display.woff2',
  variable: '--font-display',
  display: 'swap',
  preload: false,
  adjustFontFallback: 'Arial',
  declarations: [
    { prop: 'font-stretch', value: '68% 125%' },
    { prop: 'font-weight', value: '790' },
    {
      prop: 'unicode-range',
      value:
        'U+20-7E, U+A0-A3, U+A9, U+AB, U+AE, U+B0, U+B7, U+BB, U+BF-FF, U+2010-2014, U+2018-201E, U+2022, U+2026, U+2039-203A, U+20AC',
    },
  ],
});

/** Dates, ids and code. */
const mono = localFont({
  src: './fonts/mono.woff2',
  variable: '--font-mono',
  display: 'swap',
  preload: false,
  // Monospaced system fonts have nearly the same width: no adjusted Arial.
  adjustFontFallback: false,
  declarations: [
    { prop: 'font-weight', value: '400' },
    {
      prop: 'unicode-range',
      value: 'U+20-7E, U+A0-FF, U+2010-203A, U+20AC, U+2122, U+2190-2193, U+2212',
    },
  ],
});

/** Sets the families’ custom properties on an element. */
export const fontVariables = [text, textExtended, display, mono]
  .map(({ variable }) => variable)
  .join(' ');
