import type { EventBackground, EventTheme } from '../../model/schema.ts';
import type { Cells } from './cells/cells.ts';

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
  const color = cells.color('Background Color');
  if (color === null && !hasImage) return null;
  const fallbackType = hasImage ? 'image' : 'color';
  const type = toBackgroundType(cells) ?? fallbackType;
  return {
    type: !hasImage || (type === 'color' && color === null) ? fallbackType : type,
    color: color ?? defaults.background,
  };
}

function toBackgroundType(cells: Cells): EventBackground['type'] | null {
  const [choice] = cells.choices('Background Type');
  if (choice === undefined) return null;
  const lower = choice.toLowerCase();
  if (lower === 'color' || lower === 'image') return lower;
  return cells.repaired('Background Type', 'unknown_choice', choice);
}

/** An event's theme, completed from defaults; null if none of its cells is set. */
export function toTheme(cells: Cells): EventTheme | null {
  const text = cells.color('Text Color');
  const accent = cells.color('Accent Color');
  const logoSize = cells.number('Logo Size', { min: 16, max: 512 });
  const color = cells.color('Button Color');
  const textColor = cells.color('Button Text Color');
  const borderRadius = cells.number('Button Border Radius', { min: 0, max: 999 });
  const borderWidth = cells.number('Button Border Width', { min: 0, max: 16 });
  const borderColor = cells.color('Button Border Color');
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
