import { useId } from 'react';
import type { ReferenceParameter } from '#lib/representations/openapi/reference.ts';

type ParameterFieldProps = Readonly<{ parameter: ReferenceParameter }>;

/** The form control of one parameter. Empty values are not sent, or are ignored by the API. */
export function ParameterField({ parameter }: ParameterFieldProps) {
  const { name, input, isRequired, defaultsTo, example } = parameter;
  const id = useId();
  if (input.kind === 'choices') {
    return (
      <fieldset className="choices try-it-choices">
        <legend>
          <code>{name}</code>
        </legend>
        {input.choices.map((choice) => (
          <label key={choice}>
            <input type="checkbox" name={name} value={choice} /> {choice}
          </label>
        ))}
      </fieldset>
    );
  }
  return (
    <p className="field">
      <label htmlFor={id}>
        <code>{name}</code>
      </label>
      {input.kind === 'choice' && (
        <select id={id} name={name} defaultValue="">
          <option value="">{defaultsTo === null ? 'any' : `default: ${defaultsTo}`}</option>
          {input.choices
            .filter((choice) => choice !== defaultsTo)
            .map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
        </select>
      )}
      {input.kind === 'number' && (
        <input
          id={id}
          name={name}
          type="number"
          min={input.min ?? undefined}
          max={input.max ?? undefined}
          placeholder={defaultsTo ?? 'any'}
        />
      )}
      {input.kind === 'date' && <input id={id} name={name} type="date" />}
      {input.kind === 'text' && (
        <input
          id={id}
          name={name}
          type="text"
          required={isRequired}
          maxLength={input.lengthMax ?? undefined}
          placeholder={example ?? undefined}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </p>
  );
}
