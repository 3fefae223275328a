import { weekdays } from '#lib/site/notifications/mail/subscribing/mail-settings.ts';
import { ChoiceField } from '../../../_components/fields/choice-field.tsx';
import type { FieldProblem } from '../../../_components/fields/field-error.tsx';

const timeZoneId = 'timeZone';

type TimeFieldsProps = Readonly<{
  weekday: number;
  hour: number;
  timeZone: string;
  refused?: FieldProblem | null;
}>;

/** When a digest comes. */
export function TimeFields({ weekday, hour, timeZone, refused = null }: TimeFieldsProps) {
  return (
    <div className="field-row">
      <ChoiceField
        id="weekday"
        name="weekday"
        label="Day"
        options={mondayFirst.map((day) => [day, `${day.charAt(0).toUpperCase()}${day.slice(1)}`])}
        chosen={weekdays[weekday] ?? ''}
        refused={refused}
      />
      <ChoiceField
        id="hour"
        name="hour"
        label="Time"
        options={hours.map((one) => [String(one), `${one}:00`])}
        chosen={String(hour)}
        refused={refused}
      />
      <ChoiceField
        id={timeZoneId}
        name="timeZone"
        label="Time zone"
        options={listZones(timeZone).map((zone) => [zone, zone.replaceAll('_', ' ')])}
        chosen={timeZone}
        refused={refused}
      />
    </div>
  );
}

const mondayFirst = [...weekdays.slice(1), ...weekdays.slice(0, 1)];
const hours = Array.from({ length: 24 }, (_, hour) => hour);

function listZones(chosen: string): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen])];
}
