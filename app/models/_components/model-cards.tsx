import { useId } from 'react';
import {
  capabilityNames,
  type ListedModel,
  toPricesInWords,
  toTokensInWords,
} from '#lib/representations/listed-models.ts';
import { Fact } from '../../_components/fact.tsx';
import { ScriptButton } from '../../_components/script-button.tsx';

type ModelCardsProps = Readonly<{
  title: string;
  /** What these models are for. */
  children?: React.ReactNode;
  /** Those that match the filters. */
  models: readonly ListedModel[];
  total: number;
  /** The model in the playground. */
  picked?: string;
  /** Adds a “Try” button to each model. */
  onPick?: (id: string) => void;
}>;

/** Models as cards. */
export function ModelCards({ title, children, models, total, picked, onPick }: ModelCardsProps) {
  const id = useId();
  if (total === 0) return null;
  return (
    <section className="model-list" aria-labelledby={id}>
      <h3 id={id}>
        {title}{' '}
        <span className="count" role="status">
          {models.length === total ? total : `${models.length} of ${total}`}
        </span>
      </h3>
      {children}
      {models.length === 0 && <p className="quiet">No models match. Remove a filter.</p>}
      <ul className="model-cards">
        {models.map((model) => (
          <ModelCard
            key={model.id}
            model={model}
            isPicked={model.id === picked}
            {...(onPick && { onPick })}
          />
        ))}
      </ul>
    </section>
  );
}

type ModelCardProps = Readonly<{
  model: ListedModel;
  isPicked: boolean;
  onPick?: (id: string) => void;
}>;

function ModelCard({ model, isPicked, onPick }: ModelCardProps) {
  const { id, name, owner, description, contextTokens, priceOut } = model;
  const prices = toPricesInWords(model);
  const hasName = name !== null && name !== id;
  return (
    <li className="card model-card" data-picked={isPicked || undefined}>
      <h4>{hasName ? name : <code>{id}</code>}</h4>
      <p className="model-id">{hasName ? <code>{id}</code> : (owner ?? 'Unknown provider')}</p>
      {description !== null && <p className="model-about">{description}</p>}
      {model.capabilities.length > 0 && (
        <ul className="model-tags" aria-label="What it can do">
          {model.capabilities.map((capability) => (
            <li key={capability}>{capabilityNames[capability]}</li>
          ))}
        </ul>
      )}
      <dl className="model-facts">
        {contextTokens !== null && <Fact term="Context">{toTokensInWords(contextTokens)}</Fact>}
        {prices !== null && (
          <Fact term={priceOut === null ? 'Per 1M tokens' : 'Per 1M tokens: in / out'}>
            {prices}
          </Fact>
        )}
      </dl>
      {onPick && (
        <ScriptButton className="button-quiet" aria-label={`Try ${id}`} onClick={() => onPick(id)}>
          Try
        </ScriptButton>
      )}
    </li>
  );
}
