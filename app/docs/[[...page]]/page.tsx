import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { loadDocsPage } from '#lib/docs/pages.ts';
import { getServices } from '#lib/services.ts';
import { DocsText } from '../../_components/docs-text.tsx';
import { FormLinks } from '../../_components/form-links.tsx';
import { toAlternates } from '../../_metadata/alternates.ts';

export const dynamic = 'force-dynamic';

type DocsPageProps = Readonly<{ params: Promise<{ page?: string[] }> }>;

async function loadPage({ params }: DocsPageProps) {
  const { page = [] } = await params;
  const name = page.join('/');
  const address = name === '' ? '/docs' : `/docs/${name}`;
  const found = loadDocsPage(name, getServices().site);
  return found === undefined ? notFound() : { ...found, address };
}

export async function generateMetadata(props: DocsPageProps): Promise<Metadata> {
  const { title, address } = await loadPage(props);
  return {
    title,
    alternates: toAlternates(address),
  };
}

/** A page of the documentation. */
export default async function DocsPage(props: DocsPageProps) {
  const { markdown, address } = await loadPage(props);
  return (
    <article className="prose page-header">
      <FormLinks forms={{ Page: address, Markdown: `${address}.md` }} />
      <DocsText markdown={markdown} />
    </article>
  );
}
