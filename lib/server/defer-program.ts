/**
 * Moves a page's client program out of the way of its first showing: the scripts, and the data that they
 * start from, which weighs as much as the page. Pages are whole without it: it loads when somebody touches
 * the page, or once the page has stood for a while (so that an open tab keeps its statuses true). On a
 * slow phone that is the difference between one second and two.
 * Browsers from before modules get no program at all.
 * A page that is little without its program says so: an element of it has `data-needs-program`.
 *
 * @param html as Next writes it: scripts of the program are `async` and come from `/_next/`; the data is in
 *   inline scripts that begin with its queue, `self.__next_f`, and what starts it in one that begins with
 *   `globalThis["TURBOPACK"]`.
 * @param keepData takes data and program as one script, and gives the address at which a browser will
 *   find it.
 */
export function deferProgram(html: string, keepData: (script: string) => string): string {
  if (needsProgram.test(html)) return html;
  const sources = new Set<string>();
  const data: string[] = [];
  const rest = html
    .replace(/<link rel="preload" as="script"[^>]*>|<script [^>]*\bnoModule=""><\/script>/g, '')
    .replace(/<script src="(\/_next\/[^"]+)"[^>]*\basync=""[^>]*><\/script>/g, (_, source) => {
      sources.add(source);
      return '';
    })
    .replace(inlineParts, (_, script) => {
      data.push(script);
      return '';
    })
    .replace(pictureHints, '');
  if (sources.size === 0) return html;
  const program = [...data, toScripts([...sources])].join(';\n');
  return rest.replace('</body>', () => `<script>${toLoader(keepData(program))}</script></body>`);
}

// What starts the program, and the queue of its data.
const inlineParts =
  /<script(?: id="_R_")?>((?:\(globalThis\["TURBOPACK"\]|\(?self\.__next_f\b)[\s\S]*?)<\/script>/g;

// The page arrives at once, pictures and all: hints of what it is about to say only make it longer.
const pictureHints = /<link rel="preload" as="image"[^>]*>/g;

// In a tag: in a text, the bracket before it would be an entity.
const needsProgram = /<[a-z]+ [^<>]*data-needs-program=/;

const signs = ['pointerdown', 'pointermove', 'keydown', 'focusin', 'wheel'];
const loadAfterMs = 15_000;

// Written for every browser that runs the program at all, and for every page, so in few words.
function toLoader(address: string): string {
  return [
    '(()=>{',
    `const signs=${JSON.stringify(signs)},load=()=>{`,
    'for(const sign of signs)removeEventListener(sign,load,true);',
    'clearTimeout(timer);',
    `document.head.append(Object.assign(document.createElement('script'),{src:${JSON.stringify(address)}}))`,
    `},timer=setTimeout(load,${loadAfterMs});`,
    'for(const sign of signs)addEventListener(sign,load,{capture:true,passive:true})',
    '})()',
  ].join('');
}

// Without its data the program would take the page for an empty one: so the data brings the program along.
function toScripts(sources: readonly string[]): string {
  return `for(const src of ${JSON.stringify(sources)})document.head.append(Object.assign(document.createElement('script'),{src}))`;
}
