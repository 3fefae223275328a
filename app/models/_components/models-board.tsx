'use client';

import { useRef, useState } from 'react';
import type { ModelLists } from '#lib/playground/model-lists.ts';
import { Playground } from '../_playground/playground.tsx';
import { ModelSearch } from './model-search.tsx';
import { ModelTable } from './model-table.tsx';
import { useModelLists } from './use-model-lists.ts';

type ModelsBoardProps = Readonly<{ initial: ModelLists; siteUrl: string }>;

/** The models and the playground. “Try” in the table selects a model in the playground. */
export function ModelsBoard({ initial, siteUrl }: ModelsBoardProps) {
  const { language, embedding } = useModelLists(initial);
  const [search, setSearch] = useState('');
  const [model, setModel] = useState(language[0]?.id ?? '');
  const playground = useRef<HTMLElement>(null);

  function pick(id: string): void {
    setModel(id);
    playground.current?.scrollIntoView({ block: 'start' });
    playground.current?.querySelector('textarea')?.focus({ preventScroll: true });
  }

  return (
    <>
      {language.length + embedding.length > 0 && (
        <section aria-labelledby="list">
          <h2 id="list">Available models</h2>
          <ModelSearch value={search} onChange={setSearch} />
          <ModelTable title="Language models" models={language} search={search} onPick={pick} />
          <ModelTable title="Embedding models" models={embedding} search={search} />
        </section>
      )}
      <section ref={playground} aria-labelledby="playground" className="playground">
        <h2 id="playground">Playground</h2>
        <Playground models={language} model={model} onModel={setModel} siteUrl={siteUrl} />
      </section>
    </>
  );
}
