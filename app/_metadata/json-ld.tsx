import type { JsonLd as JsonLdData } from '#lib/representations/seo/json-ld.ts';

/** Structured data for search engines. `<` is escaped, so that a `</script>` in the data cannot end the element. */
export function JsonLd({ data }: Readonly<{ data: JsonLdData }>) {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: React would escape the JSON as HTML
    <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
  );
}
