import { toHtml } from 'hast-util-to-html';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import shell from 'highlight.js/lib/languages/shell';
import xml from 'highlight.js/lib/languages/xml';
import { createLowlight } from 'lowlight';

const lowlight = createLowlight({ bash, javascript, json, python, shell, xml });
lowlight.registerAlias({ bash: 'sh', javascript: ['js', 'ts'], shell: 'console' });

/** Code as HTML with classes for its colours; plain for languages that are not known. */
export function highlightCode(code: string, language: string): string {
  if (!lowlight.registered(language)) return toHtml({ type: 'text', value: code });
  return toHtml(lowlight.highlight(language, code));
}
