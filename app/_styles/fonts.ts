import localFont from 'next/font/local';

// Next reads these calls as it builds: every value has to be written out.

/** Text: weight 100–900. `_scripts/typefaces.ts` knows the families by these names. */
const text = localFont({
  src: '../../node_modules/@fontsource-variable/archivo/files/archivo-latin-wght-normal.woff2',
  variable: '--font-text',
  display: 'optional',
  preload: false,
  weight: '100 900',
  adjustFontFallback: 'Arial',
});

/** Letters such as ł and ő, fetched by pages that hold one. */
const textExtended = localFont({
  src: '../../node_modules/@fontsource-variable/archivo/files/archivo-latin-ext-wght-normal.woff2',
  variable: '--font-text-extended',
  display: 'optional',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    { prop: 'font-weight', value: '100 900' },
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1E00-1E9F, U+20A0-20AB',
    },
  ],
});

/** Headings and posters: the same family with a width of 62–125 % too. It weighs three times as much. */
const display = localFont({
  src: '../../node_modules/@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2',
  variable: '--font-display',
  display: 'optional',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    { prop: 'font-stretch', value: '62% 125%' },
    { prop: 'font-weight', value: '100 900' },
  ],
});

/** Dates, ids and code. */
const mono = localFont({
  src: '../../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  variable: '--font-mono',
  display: 'optional',
  preload: false,
  weight: '100 800',
  adjustFontFallback: false,
});

/** Puts the families’ custom properties on an element. */
export const fontVariables = [text, textExtended, display, mono]
  .map(({ variable }) => variable)
  .join(' ');
