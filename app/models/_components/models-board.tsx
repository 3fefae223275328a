'use client';

import { useRef, useState } from 'react';
import useSWR from 'swr';
import {
  addKnownFacts,
  type ListedModel,
  type ModelLists,
  noModelsMessages,
  readEmbeddingList,
  readModelList,
} from '#lib/representations/listed-models.ts';
import {
  findFirstModel,
  type ModelFilter,
  parseModelFilter,
  selectModels,
  toggleCompared,
  toModelSearch,
} from '#lib/site/playground/model-filter.ts';
import { loadModelHealth } from '#lib/site/playground/model-health.ts';
import { type ChangeKind, useUrlHistory } from '../../_components/use-url-history.ts';
import { Playground } from '../_playground/playground.tsx';
import { ModelCards } from './model-cards.tsx';
import { ModelComparison } from './model-comparison.tsx';
import { ModelFilters } from './model-filters.tsx';

type ModelsBoardProps = Readonly<{
  initial: ModelLists;
  /** The filters in the URL. */
  initialFilter: ModelFilter;
  siteUrl: string;
  /** Whether members may sign in. */
  hasAccounts: boolean;
}>;

/** The models, and beside them the playground. “Try” selects a model in the playground. */
export function ModelsBoard(props: ModelsBoardProps) {
  const { initial, initialFilter, siteUrl, hasAccounts } = props;
  const { language, embedding } = useModelLists(initial);
  const path = hasAccounts ? '/account/models.json' : null;
  const { data: health = null } = useSWR(path, loadModelHealth, { shouldRetryOnError: false });
  const { filter, change, settle } = useModelFilter(initialFilter);
  const [model, setModel] = useState(findFirstModel(language)?.id ?? '');
  const playground = useRef<HTMLElement>(null);
  const hasModels = language.length + embedding.length > 0;

  function pick(id: string): void {
    setModel(id);
    // Beside the list it is in view already.
    if (!matchMedia('(width >= 75rem)').matches) playground.current?.scrollIntoView();
    playground.current
      ?.querySelector<HTMLElement>('.playground-composer textarea')
      ?.focus({ preventScroll: true });
  }

  return (
    <div className="models-board" data-empty={hasModels ? undefined : true}>
      {hasModels && (
        <section aria-labelledby="list">
          <h2 id="list" className="visually-hidden">
            Available models
          </h2>
          <ModelFilters
            models={[...language, ...embedding]}
            value={filter}
            onChange={change}
            onSettle={settle}
          />
          <ModelComparison
            models={filter.compared.flatMap(
              (id) => language.find((model) => model.id === id) ?? [],
            )}
            href={toPath({ ...filter, compared: [] })}
          />
          <ModelCards
            title="Language models"
            models={selectModels(language, filter)}
            total={language.length}
            picked={model}
            health={health}
            choice={{
              onPick: pick,
              compared: filter.compared,
              onCompare: (id) =>
                change({ ...filter, compared: toggleCompared(filter.compared, id) }, 'chosen'),
            }}
          />
          <ModelCards
            title="Embedding models"
            models={selectModels(embedding, filter)}
            total={embedding.length}
            health={health}
          >
            <p className="model-note">
              They turn text into vectors, for search, clustering and recommendations. They do not
              chat: <a href="/docs/ai#embeddings">call them from your code</a>.
            </p>
          </ModelCards>
        </section>
      )}
      <section ref={playground} aria-labelledby="playground" className="section playground">
        <h2 id="playground">Playground</h2>
        <Playground
          models={language}
          model={model}
          onModel={setModel}
          siteUrl={siteUrl}
          offReason={initial.kind === 'unconfigured' ? noModelsMessages.unconfigured : null}
        />
      </section>
    </div>
  );
}

/** The filters of the list, in the page’s URL. */
function useModelFilter(initial: ModelFilter) {
  const [filter, setFilter] = useState(initial);
  const { write, settle } = useUrlHistory(toPath(filter), () =>
    setFilter(parseModelFilter(new URLSearchParams(location.search))),
  );
  const change = (next: ModelFilter, kind: ChangeKind) => {
    write(toPath(next), kind);
    setFilter(next);
  };
  return { filter, change, settle };
}

function toPath(filter: ModelFilter): string {
  return `/models${toModelSearch(filter)}`;
}

type Lists = Readonly<{ language: readonly ListedModel[]; embedding: readonly ListedModel[] }>;

const none: readonly ListedModel[] = [];

/** The lists as rendered, then reloaded whenever the tab gets the focus. */
function useModelLists(initial: ModelLists): Lists {
  const isListed = initial.kind === 'listed';
  const isConfigured = initial.kind !== 'unconfigured';
  return {
    language: useModelList(
      isConfigured ? '/proxy/v1/models' : null,
      isListed ? initial.language : none,
      readModelList,
    ),
    embedding: useModelList(
      isConfigured ? '/proxy/v1/embeddings/models' : null,
      isListed ? initial.embedding : none,
      readEmbeddingList,
    ),
  };
}

function useModelList(
  path: string | null,
  rendered: readonly ListedModel[],
  read: (body: unknown) => ListedModel[],
): readonly ListedModel[] {
  const load = async (url: string) => read(await loadJson(url));
  const { data } = useSWR(path, load, { shouldRetryOnError: false });
  return data === undefined ? rendered : addKnownFacts(data, rendered);
}

async function loadJson(path: string): Promise<unknown> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} failed with status ${response.status}`);
  return response.json();
}
