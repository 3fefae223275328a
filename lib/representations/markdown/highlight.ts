import type { ElementContent } from 'hast';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import shell from 'highlight.js/lib/languages/shell';
import xml from 'highlight.js/lib/languages/xml';
import { createLowlight } from 'lowlight';

const lowlight = createLowlight({ bash, javascript, json, python, shell, xml });
lowlight.registerAlias({ bash: 'sh', javascript: ['js', 'ts'], shell: 'console' });

/** Code with classes for its colours; plain for languages that are not known. */
export function toHighlightedCode(code: string, language: string): ElementContent[] {
  if (!lowlight.registered(language)) return [{ type: 'text', value: code }];
  return lowlight
    .highlight(language, code)
    .children.filter((node): node is ElementContent => node.type !== 'doctype');
}
