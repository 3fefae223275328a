/** A message or item in one common shape. */
export type Turn = Readonly<{
  role: 'user' | 'assistant' | 'system' | 'tool';
  text: string;
  images: number;
}>;
