/**
 * Moves a page's client program out of the way of its first showing. Pages are whole without it: it
 * loads when somebody touches the page, or once the page has stood for a while (so that an open tab
 * keeps its statuses true). On a slow phone that is the difference between one second and two.
 * A page that is little without its program says so: an element of it has `data-needs-program`.
 *
 * @param html as Next writes it: scripts of the program are `async` and come from `/_next/`.
 */
export function deferScripts(html: string): string {
  if (needsProgram.test(html)) return html;
  const sources: string[] = [];
  const rest = html
    .replace(/<link rel="preload" as="script"[^>]*>/g, '')
    .replace(/<script src="(\/_next\/[^"]+)"[^>]*\basync=""[^>]*><\/script>/g, (_, source) => {
      sources.push(source);
      return '';
    });
  if (sources.length === 0) return html;
  return rest.replace('</body>', `<script>${toLoader([...new Set(sources)])}</script></body>`);
}

// In a tag: in a text, the bracket before it would be an entity.
const needsProgram = /<[a-z]+ [^<>]*data-needs-program=/;

const signs = ['pointerdown', 'pointermove', 'keydown', 'touchstart', 'focusin', 'wheel'];
const loadAfterMs = 15_000;

// Written for every browser that runs the program at all.
function toLoader(sources: readonly string[]): string {
  return [
    '(()=>{',
    `const signs=${JSON.stringify(signs)};`,
    'const load=()=>{',
    'for(const sign of signs)removeEventListener(sign,load,true);',
    'clearTimeout(timer);',
    `for(const src of ${JSON.stringify(sources)})`,
    "document.head.append(Object.assign(document.createElement('script'),{src}))",
    '};',
    `const timer=setTimeout(load,${loadAfterMs});`,
    'for(const sign of signs)addEventListener(sign,load,{capture:true,passive:true})',
    '})()',
  ].join('');
}
