import type { Picture } from '#lib/demo/load-pictures.ts';
import { toAirtableId } from '#lib/demo/seeded-random.ts';

/** A row: its name, which determines its id, and the cells that differ from a valid row. */
export type EdgeCase = readonly [name: string, cells: Readonly<Record<string, unknown>>];

const scriptUrl = 'javascript:alert(document.domain)';
const scriptInSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" onload="alert(1)"><script>alert(1)</script><circle cx="100" cy="100" r="90" fill="#c33"/></svg>';

/** Texts and URLs that hide something, are too long, or are not text at all. */
export const textCases: readonly EdgeCase[] = [
  ['Script in the URLs', { URL: scriptUrl, 'Slack URL': ` ${scriptUrl}` }],
  ['Data in the URLs', { URL: 'data:text/html,<script>alert(1)</script>', 'Slack URL': 'DATA:,x' }],
  ['URLs without a scheme', { URL: 'www.no-scheme.example', 'Slack URL': '//double.example' }],
  ['URL with a password', { URL: 'https://user:secret@login.example/' }],
  ['URL with blanks around it', { URL: '  https://trimmed.example/  ' }],
  ['URL with a line break', { URL: 'https://broken.example/\r\nSet-Cookie: a=b' }],
  ['URL in another script', { URL: 'https://例え.example/道' }],
  ['URL that is text', { URL: 'see the poster', 'Slack URL': 'ask Mira' }],
  [
    'HTML in the description',
    {
      Description:
        '<script>alert(1)</script><img src=x onerror=alert(1)><iframe srcdoc="x"></iframe>\n\nAfter <br> it.',
      Requirements: '</textarea><svg/onload=alert(1)>',
    },
  ],
  [
    'Scripts in Markdown',
    {
      Description: `[click](${scriptUrl}) ![picture](data:image/svg+xml,<svg/>) <${scriptUrl}>\n\n[ref]: ${scriptUrl}`,
    },
  ],
  ['End of CDATA', { Description: 'Before ]]> and after, then <![CDATA[ again ]]]]><![CDATA[>.' }],
  [
    'Control characters',
    { Description: 'nul \u0000 bell \u0007 escape \u001b[31m vertical \u000b delete \u007f end' },
  ],
  ['Lone surrogates', { Description: 'high \ud83d alone, low \ude00 alone', Location: '\udfff' }],
  ['Noncharacters', { Description: 'U+FFFE \ufffe and U+FFFF \uffff', Requirements: '\ufdd0' }],
  ['Right-to-left override in a text', { Description: 'Pay \u202E001 €\u202C at the door.' }],
  ['Line separators', { Description: 'line \u2028 paragraph \u2029 next \u0085 end' }],
  ['Windows line ends', { Description: 'one\r\ntwo\r\n\r\nthree\rfour' }],
  ['A calendar in the description', { Description: 'END:VEVENT\r\nEND:VCALENDAR\r\nX;Y,Z\\n' }],
  ['A hundred kilobytes', { Description: 'All work and no play. '.repeat(4655) }],
  ['A thousand levels', { Description: `${'> '.repeat(1000)}deep\n\n${'['.repeat(5000)}` }],
  [
    'Description of the wrong kind',
    { Description: 12.5, Requirements: true, Location: ['Hall', null, 4], URL: 7 },
  ],
  [
    'Description from failed formulas',
    { Description: { error: '#ERROR!' }, Requirements: { specialValue: 'NaN' } },
  ],
  [
    'Description by a language model',
    { Description: { state: 'generated', value: 'Made by a machine.', isStale: false } },
  ],
  ['Two channels in one cell', { 'Slack Channel': '#first-channel, #second-channel' }],
  ['Channel with many marks', { 'Slack Channel': '  ##loud channel!  ' }],
  ['Channel that is a mark', { 'Slack Channel': '#' }],
  ['Channel that is a URL', { 'Slack Channel': 'https://builders-chat.example/archives/C1' }],
];

/** Unknown types and choices, and checkboxes that are not booleans. */
export const typeCases: readonly EdgeCase[] = [
  ['Unknown project types', { 'Project Types': ['Knitting', 'Software', 'software ', ''] }],
  ['Ten thousand project types', { 'Project Types': toManyTypes() }],
  ['Project types in a text', { 'Project Types': 'Software, CAD' }],
  ['Project types of the wrong kind', { 'Project Types': [null, 7, { name: 'CAD' }, ['CAD']] }],
  ['Format in lower case', { Format: ' in person ' }],
  ['Format with underscore', { Format: 'IN_PERSON' }],
  ['Unknown format', { Format: 'On the moon' }],
  ['Format in a list', { Format: ['Online'] }],
  ['Unknown state', { State: 'Abducted by aliens' }],
  ['State in lower case', { State: ' canceled ' }],
  ['State in a list', { State: ['Moved_Online'] }],
  ['State from a failed formula', { State: { error: '#ERROR!' } }],
  ['Pinned by a text', { Pinned: 'yes' }],
  ['Pinned by a number', { Pinned: 1 }],
  ['Unknown columns', { constructor: 'x', 'Internal notes': 'not for the public' }],
];

/** Colours, sizes and pictures that could break a style, a layout or a parser. */
export const lookCases: readonly EdgeCase[] = [
  [
    'Style in the colours',
    {
      'Background Type': 'Color',
      'Background Color': 'red;background:url(https://tracker.example/x)',
      'Text Color': 'expression(alert(1))',
      'Accent Color': '</style><script>alert(1)</script>',
      'Button Color': 'var(--paper)',
      'Button Text Color': 'url(javascript:alert(1))',
      'Button Border Color': '#ff0000" onload="alert(1)',
    },
  ],
  [
    'Colours by hand',
    {
      'Background Type': 'color',
      'Background Color': 'FF8800',
      'Text Color': '#FFF',
      'Accent Color': 'bluish',
      'Button Color': 'transparent',
      'Button Text Color': '#12345678',
      'Button Border Color': 'currentColor',
    },
  ],
  ['Text without contrast', { 'Background Color': '#777777', 'Text Color': '#787878' }],
  ['Colours of the wrong kind', { 'Background Color': 255, 'Text Color': ['#fff'], Logo: 'x' }],
  ['Sizes below zero', { 'Logo Size': -40, 'Button Border Radius': -1, 'Button Border Width': -9 }],
  ['Sizes beyond reason', { 'Logo Size': 1e9, 'Button Border Radius': 1e308 }],
  ['Sizes in texts', { 'Logo Size': '96px', 'Button Border Radius': '12', 'Text Color': '#123' }],
  ['Size from a failed formula', { 'Logo Size': { specialValue: 'Infinity' } }],
  ['Image type without an image', { 'Background Type': 'Image' }],
  ['Unknown background type', { 'Background Type': 'Video', 'Background Color': '#204060' }],
  ['Logo in an empty list', { Logo: [], 'Background Image': [null] }],
  ['Logo without a URL', { Logo: [{ id: 'attNoAddress0000x', filename: 'a.png' }] }],
  ['Logo that is a link', { Logo: 'https://pictures.example/logo.png' }],
  [
    'Logo from another host',
    { Logo: [toForeignLogo('http://169.254.169.254/latest/meta-data/', 'image/png')] },
  ],
  ['Logo from a file', { Logo: [toForeignLogo('file:///etc/passwd', 'image/png')] }],
  ['Logo with the type of a page', { Logo: [toForeignLogo('https://p.example/', 'text/html')] }],
  [
    'Logo with an invalid id',
    { Logo: [{ ...toForeignLogo('https://p.example/', 'x'), id: '../a' }] },
  ],
  ['Logo with a script in it', { Logo: [toStored('odd-badge.svg')] }],
  ['Logo that is a page in disguise', { Logo: [toStored('odd-page.webp')] }],
  ['Logo whose bytes are gone', { Logo: [toStored('never-drawn.webp')] }],
];

/** The files of the logos that are no pictures. */
export const oddPictures: ReadonlyMap<string, Picture> = new Map([
  ['odd-badge.svg', toOddPicture('image/svg+xml', scriptInSvg)],
  ['odd-page.webp', toOddPicture('image/webp', '<!doctype html><script>alert(1)</script>')],
]);

function toOddPicture(type: string, text: string): Picture {
  return { type, bytes: Buffer.from(text), size: null };
}

function toManyTypes(): string[] {
  return Array.from({ length: 10_000 }, (_, index) => `Type ${index}`);
}

function toForeignLogo(url: string, type: string) {
  return { id: toAirtableId('att', url), url, filename: 'logo.png', size: 1000, type };
}

function toStored(file: string) {
  return { id: toAirtableId('att', file), file };
}
