import type { Metadata } from 'next';
import type { SearchParams } from '#lib/events/query/page-query.ts';
import { noModelsMessages } from '#lib/representations/listed-models.ts';
import { getServices } from '#lib/services.ts';
import { loadModels } from '#lib/site/pages/load-models.ts';
import { getLinkedPage } from '#lib/site/pages/page-table.ts';
import { parseModelFilter } from '#lib/site/playground/model-filter.ts';
import { PageFormats } from '../_components/page-formats.tsx';
import { toPageMetadata } from '../_metadata/page-metadata.ts';
import { ModelsBoard } from './_components/models-board.tsx';
import '../_styles/fields.css';
import '../_styles/prose.css';
import './_components/models.css';

const linked = getLinkedPage('/models');

export function generateMetadata(): Metadata {
  return toPageMetadata(linked);
}

type ModelsPageProps = Readonly<{ searchParams: Promise<SearchParams> }>;

/** The models of the AI proxy, and a playground. */
export default async function ModelsPage({ searchParams }: ModelsPageProps) {
  const services = getServices();
  const lists = await loadModels(services.models);
  return (
    <>
      <header className="page-header">
        <h1>{linked.title}</h1>
        <p className="lead">
          Use any OpenAI client with one API key. <a href="/docs/ai">See how</a>.
        </p>
      </header>
      {lists.kind !== 'listed' && <p className="notice">{noModelsMessages[lists.kind]}</p>}
      <ModelsBoard
        initial={lists}
        initialFilter={parseModelFilter(toUrlSearchParams(await searchParams))}
        siteUrl={services.site.url}
        hasAccounts={services.members !== null}
      />
      <PageFormats links={{ Markdown: '/models.md', JSON: '/proxy/v1/models' }} />
    </>
  );
}

function toUrlSearchParams(params: SearchParams): URLSearchParams {
  const pairs = Object.entries(params).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs);
}
