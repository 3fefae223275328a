import { expect, test } from 'vitest';
import { htmlToMarkdown } from '#lib/events/source/airtable/cells/html-to-markdown.ts';

// As Google Calendar, Outlook, Word, Google Docs, Notion and website editors write descriptions.
test.for([
  [
    'Google Calendar',
    '<html-blob><u></u>Soup &amp; bread ::vegan::&nbsp;&nbsp;<br>Hummus<br><br><b>Where: </b>here<u></u></html-blob>',
    'Soup & bread ::vegan::\\\nHummus\n\n**Where:** here',
  ],
  [
    'Google Calendar with a list and a redirect',
    'Join us!<br><br><ul><li>one</li><li>two <i>x</i></li></ul><a href="https://www.google.com/url?q=https://jam.example/x%3Fa%3D1&amp;sa=D&amp;ust=1">Sign up</a>',
    'Join us!\n\n- one\n- two *x*\n\n[Sign up](https://jam.example/x?a=1)',
  ],
  [
    'Thunderbird',
    '<body>\n<div>An open day - come \nalong.</div>\n<div>https://club.example/a_b_c</div>\n</body>',
    'An open day - come along.\n\n<https://club.example/a_b_c>',
  ],
  [
    'Word and Outlook',
    `<html xmlns:o="urn:x"><head><meta name=Generator><style><!-- p.MsoNormal {margin:0} --></style><!--[if gte mso 9]><xml><o:x/></xml><![endif]--></head>
     <body><div class=WordSection1>

       <p class=MsoNormal style='mso-x:1'><b><span lang=EN-GB>Bring *tools*</span></b><o:p></o:p></p>
       <p class="MsoNormal">at <a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fjam.example%2F&amp;data=05">the hall</a><o:p>&nbsp;</o:p></p>
     </div></body></html>`,
    '**Bring \\*tools\\***\n\nat [the hall](https://jam.example/)',
  ],
  [
    'Google Docs',
    '<b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span>One</span></p><p dir="ltr"><span>Two</span></p></b>',
    '**One**\n\n**Two**',
  ],
  [
    'Notion',
    '<article class="page sans"><header><h1 class="page-title">Jam</h1></header><div class="page-body"><p id="1">Hi <mark class="highlight-red">all</mark>, <code>npm i</code></p><ul class="bulleted-list"><li style="list-style-type:disc">one</li></ul><blockquote>two</blockquote><hr/></div></article>',
    '# Jam\n\nHi all, `npm i`\n\n- one\n\n> two\n\n---',
  ],
  [
    'a table',
    '<table border="1"><thead><tr><th>Time</th><th>Talk</th></tr></thead><tbody><tr><td>9:00</td><td>a | b</td></tr></tbody></table>',
    '| Time | Talk |\n| - | - |\n| 9:00 | a \\| b |',
  ],
  [
    'links alone',
    'See <a href="https://jam.example">the site</a>.',
    'See [the site](https://jam.example/).',
  ],
  [
    'a link that says its URL',
    '<a href="https://jam.example/">https://jam.example/</a>',
    '<https://jam.example/>',
  ],
  ['line breaks alone', 'line 1<br/>line 2<BR>line 3', 'line 1\\\nline 2\\\nline 3'],
  ['upper case', '<P>One</P>\n<P CLASS=X>Two</P>', 'One\n\nTwo'],
  ['comments', '<!--StartFragment-->Hello<!--EndFragment-->', 'Hello'],
  [
    'text that looks like Markdown',
    '<p>5 * 3 * 2, _x_</p><p>1. no list</p>',
    '5 \\* 3 \\* 2, \\_x\\_\n\n1\\. no list',
  ],
  ['empty elements', '<p><br></p><p>&nbsp;</p><p>x<b> </b>y<i></i></p>', 'x y'],
  ['nothing', '<p><br></p>', ''],
] as const)('%s', ([, html, markdown]) => {
  expect(htmlToMarkdown(html)).toBe(markdown);
});

test.for([
  'Bring a <friend>',
  'Bring a <friend> & <name of a lamp>',
  'Vector<T>, Map<K, V>, List<P>, Vector<S>, <T extends U>',
  'Use `<b>` and `</b>`, `<br>` too',
  '```html\n<b>bold</b>\n<br>\n```',
  '    <b>indented code</b>',
  'x < 5 and y > 3; I <3 you; <- there ->',
  '<mail@jam.example> and <https://jam.example/>',
  '**Markdown** with _words_\n* one\n* two\n\n[a]: https://jam.example/',
  '&lt;b&gt; and &amp;',
  'a </div> alone',
  'a <b> alone',
  '<jam>',
])('%s is no HTML and stays as it is', (text) => {
  expect(htmlToMarkdown(text)).toBe(text);
});

test('HTML in Markdown is converted, and what is no tag, code, lines, lists and footnotes stay', () => {
  const text = [
    'Bring a <friend>, a `<b>` and a Vector<T>,',
    '<b>or two</b>[^1].',
    '',
    '- **one** <a href="https://jam.example/">two</a>',
    '- [ ] three',
    '',
    '```html\n<i>code</i>\n```',
    '',
    '[^1]: They are <em>free</em>.',
  ].join('\n');
  expect(htmlToMarkdown(text)).toBe(
    [
      'Bring a \\<friend>, a `<b>` and a Vector\\<T>,',
      '**or two**\\[1].',
      '',
      '- **one** [two](https://jam.example/)',
      '- [ ] three',
      '',
      '```html\n<i>code</i>\n```',
      '',
      '\\[1] They are *free*.',
    ].join('\n'),
  );
});

test('no script, style, form, tracker or picture from elsewhere comes in', () => {
  const html = `<div>Text<script>alert(1)</script><style>p{}</style><svg><script>alert(2)</script></svg>
    <img src="https://count.example/open.gif" width="1" height="1"><img src="https://jam.example/a.png" alt="Poster">
    <a href="javascript:alert(3)" onclick="alert(4)">x</a> <a href="data:text/html,y">y</a>
    <iframe src="https://frame.example/" title="Frame"></iframe><video src="https://v.example/"></video>
    <form><textarea>form</textarea><button>z</button></form><object data="https://o.example/">o</object></div>`;
  expect(htmlToMarkdown(html)).toBe('Text [Poster](https://jam.example/a.png) x y');
});

// Parsers take quadratic time for some of them.
test.for([
  ['tags', '<b>'.repeat(30_000)],
  ['pairs', `${'<div>'.repeat(1_500)}${'</div>'.repeat(1_500)}`],
  ['lists in lists', `${'<ul><li>'.repeat(700)}x${'</li></ul>'.repeat(700)}`],
  [
    'marks without an end',
    `<p>${'<b><i><s><u><tt>'.repeat(4)}${'<p>x'.repeat(1_400)}</b></i></s></u></tt></p>`,
  ],
  ['comments without an end', `${'<!--'.repeat(20_000)}<p>x</p>`],
  ['quotes', `<a ${`"'`.repeat(45_000)}</a>`],
  ['Markdown', `${'**'.repeat(5_000)}<b>x</b>`],
] as const)('%s beyond the bounds stay text', ([, text]) => {
  expect(htmlToMarkdown(text)).toBe(text);
});
