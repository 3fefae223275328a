import { useId } from 'react';
import { filterModels, type ListedModel, toPriceInWords } from '#lib/playground/model-lists.ts';
import { useIsReady } from '../../_components/use-early-input.ts';

type ModelTableProps = Readonly<{
  title: string;
  models: readonly ListedModel[];
  search: string;
  /** Offered for each model, where it can be talked to. */
  onPick?: (id: string) => void;
}>;

const numbers = new Intl.NumberFormat('en');

/** Models in a table, as far as the search lets them through. Columns that are empty are not shown. */
export function ModelTable({ title, models, search, onPick }: ModelTableProps) {
  const id = useId();
  const isReady = useIsReady();
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
      {found.length === 0 && <p className="quiet">No model has all of these words.</p>}
      {found.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section className="table-frame" tabIndex={0} aria-labelledby={id}>
          <table className="data-table">
            <thead>
              <tr>
                <th scope="col">Model</th>
                <th scope="col">From</th>
                {hasContext && <th scope="col">Reads, tokens</th>}
                {hasPrice && <th scope="col">Price for a million</th>}
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
                        disabled={!isReady}
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
