/** A message in which names stand between backticks. */
export function HintedText({ text }: Readonly<{ text: string }>) {
  const parts = text.split('`');
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places.
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
