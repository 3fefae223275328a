import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { ScrolledCode } from './scrolled.tsx';

type CodeBlockProps = Readonly<{
  title: string;
  /** The code as text. */
  code: string;
  language: string;
  /** The code with colours; by default it has none. */
  children?: ReactNode;
}>;

/** Code with its language and a button to copy it. */
export function CodeBlock({ title, code, language, children }: CodeBlockProps) {
  return (
    <figure className="code-block" data-language={language}>
      <figcaption>
        {title}
        <CopyButton text={toCopied(code, language)} name={`the ${title} code`} />
      </figcaption>
      <ScrolledCode>{children ?? <code>{code}</code>}</ScrolledCode>
    </figure>
  );
}

// Of a terminal session only the commands, without their prompts.
function toCopied(code: string, language: string): string {
  if (language !== 'console') return code;
  const commands = code.split('\n').filter((line) => line.startsWith('$ '));
  return commands.map((line) => line.slice(2)).join('\n');
}
