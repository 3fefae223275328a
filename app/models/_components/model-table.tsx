import { useId } from 'react';
import { filterModels, type ListedModel, toPriceInWords } from '#lib/playground/model-lists.ts';
import { useIsHydrated } from '../../_components/use-is-hydrated.ts';

type ModelTableProps = Readonly<{
  title: string;
  models: readonly ListedModel[];
  search: string;
  /** Adds a “Try” button to each model. */
  onPick?: (id: string) => void;
}>;

const numbers = new Intl.NumberFormat('en');

/** A table of the models that match the search. Columns without values are left out. */
export function ModelTable({ title, models, search, onPick }: ModelTableProps) {
  const id = useId();
  const isHydrated = useIsHydrated();
  const found = filterModels(models, search);
  const hasContext = models.some(({ contextTokens }) => contextTokens !== null);
  const hasPrice = models.some(({ priceIn }) => priceIn !== null);
  if (models.length === 0) return null;
  return (
    <div className="model-list">
      <h3 id={id}>
        {title}{' '}
        <span className="count" role="status">
          {found.length === models.length ? models.length : `${found.length} of ${models.length}`}
        </span>
      </h3>
      {found.length === 0 && <p className="quiet">No models match.</p>}
      {found.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
        <section className="table-frame" tabIndex={0} aria-labelledby={id}>
          <table className="data-table">
            <thead>
              <tr>
                <th scope="col">Model</th>
                <th scope="col">Provider</th>
                {hasContext && <th scope="col">Context (tokens)</th>}
                {hasPrice && <th scope="col">Price per million tokens</th>}
                {onPick && (
                  <th scope="col" className="only-with-script">
                    <span className="visually-hidden">Try it</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {found.map((model) => (
                <tr key={model.id}>
                  <th scope="row">
                    <code>{model.id}</code>
                    {model.name !== null && model.name !== model.id && (
                      <span className="quiet">{model.name}</span>
                    )}
                  </th>
                  <td>{model.owner ?? '–'}</td>
                  {hasContext && (
                    <td>
                      {model.contextTokens === null ? '–' : numbers.format(model.contextTokens)}
                    </td>
                  )}
                  {hasPrice && (
                    <td>{model.priceIn === null ? '–' : toPriceInWords(model.priceIn)}</td>
                  )}
                  {onPick && (
                    <td className="only-with-script">
                      <button
                        type="button"
                        className="button-quiet"
                        disabled={!isHydrated}
                        aria-label={`Try ${model.id}`}
                        onClick={() => onPick(model.id)}
                      >
                        Try
                      </button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}
