import {
  capabilities,
  capabilityNames,
  type ListedModel,
  toPriceInWords,
  toTokensInWords,
} from '#lib/representations/listed-models.ts';
import { toConversationPrice } from '#lib/site/playground/model-filter.ts';
import { ScrolledTable } from '../../_components/scrolled.tsx';

type Row = Readonly<{ term: string; toValue: (model: ListedModel) => string | null }>;

const toPrice = (price: number | null) => (price === null ? null : toPriceInWords(price));

const rows: readonly Row[] = [
  {
    term: 'Context',
    toValue: ({ contextTokens }) =>
      contextTokens === null ? null : `${toTokensInWords(contextTokens)} tokens`,
  },
  { term: '1M tokens in', toValue: ({ priceIn }) => toPrice(priceIn) },
  { term: '1M tokens out', toValue: ({ priceOut }) => toPrice(priceOut) },
  {
    term: '10k tokens in, 1k out',
    toValue: (model) => toPrice(toConversationPrice(model)),
  },
  ...capabilities.map((capability) => ({
    term: capabilityNames[capability],
    toValue: (model: ListedModel) =>
      model.capabilities.length === 0
        ? null
        : model.capabilities.includes(capability)
          ? 'Yes'
          : 'No',
  })),
];

type ModelComparisonProps = Readonly<{
  models: readonly ListedModel[];
  /** The URL without a comparison. */
  href: string;
}>;

/** Two or three models side by side. */
export function ModelComparison({ models, href }: ModelComparisonProps) {
  if (models.length === 0) return null;
  return (
    <section className="model-list" aria-labelledby="comparison">
      <h3 id="comparison">Side by side</h3>
      {models.length === 1 && <p className="quiet">Choose another model to compare.</p>}
      <ScrolledTable className="model-comparison">
        <thead>
          <tr>
            <td />
            {models.map(({ id }) => (
              <th key={id} scope="col">
                <code>{id}</code>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ term, toValue }) => (
            <tr key={term}>
              <th scope="row">{term}</th>
              {models.map((model) => (
                <td key={model.id}>{toValue(model) ?? <span className="quiet">Unknown</span>}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
      <p>
        <a href={href}>End the comparison</a>
      </p>
    </section>
  );
}
