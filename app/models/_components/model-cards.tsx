import { useId } from 'react';
import type { ModelHealth } from '#lib/accounts/account/model-health.ts';
import {
  capabilityNames,
  type ListedModel,
  toPricesInWords,
  toTokensInWords,
} from '#lib/representations/listed-models.ts';
import { describeHealth } from '#lib/site/playground/model-health.ts';
import { CopyButton } from '../../_components/copy-button.tsx';
import { Fact } from '../../_components/fact.tsx';
import { ScriptButton } from '../../_components/script-button.tsx';
import { modelFormId } from './model-filters.tsx';

type ModelCardsProps = Readonly<{
  title: string;
  /** What these models are for. */
  children?: React.ReactNode;
  /** Those that match the filters. */
  models: readonly ListedModel[];
  total: number;
  /** The model in the playground. */
  picked?: string;
  /** Null before it is known, and for visitors. */
  health: ModelHealth | null;
  /** Models that can be tried, and compared. */
  choice?: ModelChoice;
}>;

type ModelChoice = Readonly<{
  onPick: (id: string) => void;
  compared: readonly string[];
  onCompare: (id: string) => void;
}>;

/** Models as cards. */
export function ModelCards(props: ModelCardsProps) {
  const { title, children, models, total, picked, health, choice } = props;
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
            health={health}
            {...(choice && { choice })}
          />
        ))}
      </ul>
    </section>
  );
}

type ModelCardProps = Readonly<{
  model: ListedModel;
  isPicked: boolean;
  health: ModelHealth | null;
  choice?: ModelChoice;
}>;

function ModelCard({ model, isPicked, health, choice }: ModelCardProps) {
  const { id, name, owner, description, contextTokens, priceOut } = model;
  const prices = toPricesInWords(model);
  const hasName = name !== null && name !== id;
  return (
    <li className="card model-card" data-picked={isPicked || undefined}>
      <h4>{hasName ? name : <code>{id}</code>}</h4>
      <p className="model-id">
        {hasName ? <code>{id}</code> : (owner ?? 'Unknown provider')}
        <CopyButton text={id} name={`the id ${id}`} />
      </p>
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
      {health !== null && <Health health={health} id={id} />}
      {choice && (
        <>
          <label className="model-compare">
            <input
              type="checkbox"
              name="compare"
              value={id}
              form={modelFormId}
              checked={choice.compared.includes(id)}
              onChange={() => choice.onCompare(id)}
            />{' '}
            Compare<span className="visually-hidden"> {id}</span>
          </label>
          <ScriptButton
            className="button-quiet"
            aria-label={`Try ${id}`}
            onClick={() => choice.onPick(id)}
          >
            Try
          </ScriptButton>
        </>
      )}
    </li>
  );
}

/** How it has done in the last 24 hours. */
function Health({ health, id }: Readonly<{ health: ModelHealth; id: string }>) {
  const text = describeHealth(health, id);
  const isOut = health.outOfOrder.includes(id);
  if (text === null && !isOut) return null;
  return (
    <p className="model-health">
      {isOut && <strong className="badge badge-off">Out of order</strong>}{' '}
      {text !== null && `24 hours: ${text}`}
    </p>
  );
}
