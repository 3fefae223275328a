import type { JsonLd as JsonLdData } from '#lib/seo/json-ld.ts';

/** Facts for search engines. Nothing in them can end the element that holds them. */
export function JsonLd({ data }: Readonly<{ data: JsonLdData }>) {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a script's text is not HTML, and cannot be escaped as such
    <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
  );
}
