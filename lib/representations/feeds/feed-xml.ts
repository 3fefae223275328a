import { XMLBuilder } from 'fast-xml-parser';
import { toXmlText } from '#lib/events/words/clean-text.ts';

/** Writes feeds in XML from trees, with attributes as `@_name`. */
export const feedXml = new XMLBuilder({
  format: true,
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
  processEntities: false,
  tagValueProcessor: (_, value) => toCharacterData(String(value)),
  attributeValueProcessor: (_, value) => toCharacterData(String(value)),
});

// The RSS profile recommends hexadecimal references: readers that decode `&amp;` twice leave them alone.
function toCharacterData(text: string): string {
  return toXmlText(text).replace(/&/g, '&#x26;').replace(/</g, '&#x3C;').replace(/>/g, '&#x3E;');
}
