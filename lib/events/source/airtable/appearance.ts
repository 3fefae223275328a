import type { EventBackground, EventTheme } from '../../model/schema.ts';
import type { Cells } from './cells.ts';
import { columns } from './columns.ts';

/** Values for empty and invalid cells. */
const defaults = {
  background: '#1f2430',
  text: '#ffffff',
  accent: '#ffb454',
  logoSize: 96,
  button: {
    color: '#ffffff',
    textColor: '#14161c',
    borderRadius: 8,
    borderWidth: 0,
    borderColor: '#ffffff',
  },
} as const;

/** An event's background; null if the row has neither a colour nor a picture. */
export function toBackground(cells: Cells, hasImage: boolean): EventBackground | null {
  const color = cells.color(columns.backgroundColor);
  if (color === null && !hasImage) return null;
  const fallbackType = hasImage ? 'image' : 'color';
  const type = toBackgroundType(cells) ?? fallbackType;
  return {
    type: !hasImage || (type === 'color' && color === null) ? fallbackType : type,
    color: color ?? defaults.background,
  };
}

function toBackgroundType(cells: Cells): EventBackground['type'] | null {
  const [choice] = cells.choices(columns.backgroundType);
  if (choice === undefined || choice === '') return null;
  const lower = choice.toLowerCase();
  if (lower === 'color' || lower === 'image') return lower;
  return cells.repaired(columns.backgroundType, 'unknown_choice', choice);
}

/** An event's theme, completed from defaults; null if none of its cells is set. */
export function toTheme(cells: Cells): EventTheme | null {
  const text = cells.color(columns.textColor);
  const accent = cells.color(columns.accentColor);
  const logoSize = cells.number(columns.logoSize, { min: 16, max: 512 });
  const color = cells.color(columns.buttonColor);
  const textColor = cells.color(columns.buttonTextColor);
  const borderRadius = cells.number(columns.buttonBorderRadius, { min: 0, max: 999 });
  const borderWidth = cells.number(columns.buttonBorderWidth, { min: 0, max: 16 });
  const borderColor = cells.color(columns.buttonBorderColor);
  const set = [text, accent, logoSize, color, textColor, borderRadius, borderWidth, borderColor];
  if (set.every((value) => value === null)) return null;
  return {
    text: text ?? defaults.text,
    accent: accent ?? defaults.accent,
    logoSize: logoSize ?? defaults.logoSize,
    button: {
      color: color ?? defaults.button.color,
      textColor: textColor ?? defaults.button.textColor,
      borderRadius: borderRadius ?? defaults.button.borderRadius,
      borderWidth: borderWidth ?? defaults.button.borderWidth,
      borderColor: borderColor ?? defaults.button.borderColor,
    },
  };
}
