import { useId } from 'react';
import type { ChatSettings } from '#lib/site/playground/chat-request.ts';
import { TextField } from '../../_components/fields/controlled-fields.tsx';

type SettingsFieldsProps = Readonly<{
  value: ChatSettings;
  onChange: (settings: ChatSettings) => void;
}>;

/** What is set for the whole conversation. Empty: as the model has it. */
export function SettingsFields({ value, onChange }: SettingsFieldsProps) {
  const systemId = useId();
  return (
    <details className="playground-settings">
      <summary>Settings</summary>
      <p className="field">
        <label htmlFor={systemId}>System prompt</label>
        <textarea
          id={systemId}
          value={value.system}
          placeholder="You are a friendly astronomer."
          onChange={({ currentTarget }) => onChange({ ...value, system: currentTarget.value })}
        />
      </p>
      <div className="field-row">
        <TextField
          label="Temperature"
          type="number"
          min="0"
          max="2"
          step="0.1"
          placeholder="As the model has it"
          value={toFieldText(value.temperature)}
          onChange={(text) => onChange({ ...value, temperature: toNumber(text) })}
        />
        <TextField
          label="Longest reply, tokens"
          type="number"
          min="1"
          step="1"
          placeholder="As the model has it"
          value={toFieldText(value.replyTokensMax)}
          onChange={(text) => onChange({ ...value, replyTokensMax: toNumber(text) })}
        />
      </div>
    </details>
  );
}

function toFieldText(value: number | null): string {
  return value === null ? '' : String(value);
}

function toNumber(text: string): number | null {
  const value = Number(text);
  return text === '' || !Number.isFinite(value) ? null : value;
}
