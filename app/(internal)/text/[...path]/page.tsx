import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type DocsLink, docsGroups, docsPaths } from '#lib/representations/docs/page-rows.ts';
import { listHeadings } from '#lib/representations/docs/pages.ts';
import { getServices } from '#lib/services.ts';
import { findPage } from '#lib/site/pages/classify-url.ts';
import { PageFormats } from '../../../_components/page-formats.tsx';
import { toPageMetadata } from '../../../_metadata/page-metadata.ts';
import { DocsText } from '../../../docs/_components/docs-text.tsx';
import { OperationSection } from '../../../docs/_components/operation-section.tsx';
import '../../../_styles/fields.css';
import '../../../_styles/prose.css';
import '../../../docs/_components/docs.css';

type TextPageProps = Readonly<{ params: Promise<{ path: string[] }> }>;

async function loadPage({ params }: TextPageProps) {
  const { row, name } = findPage(`/${(await params).path.join('/')}`, '');
  return row.loadText?.(name, getServices().site) ?? notFound();
}

export async function generateMetadata(props: TextPageProps): Promise<Metadata> {
  const { title, description, path } = await loadPage(props);
  return toPageMetadata({ path, title, description });
}

/** A page of text: of the documentation, which has a navigation of its own, or any other. */
export default async function TextPage(props: TextPageProps) {
  const page = await loadPage(props);
  const { path, tree, reference } = page;
  const { url: siteUrl } = getServices().site;
  const text = (
    <div className="docs-main">
      <article className="prose docs-text" data-page={path}>
        <DocsText nodes={tree.children} siteUrl={siteUrl} />
        {reference?.operations.map(({ operation, before, after }) => (
          <OperationSection
            key={operation.id}
            operation={operation}
            before={before}
            after={after}
            siteUrl={siteUrl}
          />
        ))}
        {reference !== null && (
          <section className="prose schemas" aria-label="Schemas">
            <DocsText nodes={reference.schemas} siteUrl={siteUrl} />
          </section>
        )}
      </article>
      <PageFormats links={{ Markdown: `${path}.md` }} />
    </div>
  );
  if (!docsPaths.includes(path)) return text;
  return (
    <div className="docs">
      <DocsNav current={path} headings={listHeadings(page)} />
      {text}
    </div>
  );
}

type DocsNavProps = Readonly<{
  current: string;
  /** Headings of the current page. */
  headings: readonly Readonly<{ anchor: string; title: string }>[];
}>;

/** On narrow screens, a longer navigation would fill the first screen. */
const openLinksMax = 10;

function DocsNav({ current, headings }: DocsNavProps) {
  const links = listLinks(current);
  return (
    <div className="docs-nav">
      <details open={links.length <= openLinksMax}>
        <summary>Pages</summary>
        <nav aria-label="Documentation">
          <ul>
            {links.map(({ path, title }) => (
              <li key={path}>
                <a href={path} aria-current={path === current ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </details>
      {headings.length > 1 && (
        <details>
          <summary>On this page</summary>
          <nav aria-label="On this page">
            <ul>
              {headings.map(({ anchor, title }) => (
                <li key={anchor}>
                  <a href={`#${anchor}`}>{title}</a>
                </li>
              ))}
            </ul>
          </nav>
        </details>
      )}
    </div>
  );
}

/** The pages of the current group, and the first one of each other group. */
function listLinks(current: string): DocsLink[] {
  return docsGroups.flatMap((links) =>
    links.some(({ path }) => path === current) ? links : links.slice(0, 1),
  );
}
