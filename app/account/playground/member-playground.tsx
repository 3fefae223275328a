'use client';

import { useState } from 'react';
import type { ListedModel } from '#lib/representations/listed-models.ts';
import { findFirstModel } from '#lib/site/playground/model-filter.ts';
import { Playground } from '../../models/_playground/playground.tsx';

type MemberPlaygroundProps = Readonly<{
  models: readonly ListedModel[];
  siteUrl: string;
  formToken: string;
  offReason: string | null;
}>;

export function MemberPlayground(props: MemberPlaygroundProps) {
  const [model, setModel] = useState(findFirstModel(props.models)?.id ?? '');
  return <Playground {...props} model={model} onModel={setModel} />;
}
