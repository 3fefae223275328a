/** The style sheet of an embed. System fonts, so that it needs no other file. */
export const embedStyle = `
:root { color-scheme: light dark; --paper: light-dark(#fff, #101112); --ink: light-dark(#141414, #f1f1ec);
  --quiet: light-dark(#55565a, #a8a9ae); --line: light-dark(#d3d3cd, #303135); --tile: light-dark(#e7e7e2, #2a2b2e); }
:root[data-scheme="light"] { color-scheme: light; }
:root[data-scheme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.4 system-ui, sans-serif;
  overflow-wrap: anywhere; }
header, footer { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: baseline; padding: 0.5rem 0.75rem; }
header { border-bottom: 3px dotted #ffc21a; background: #141414; color: #fff; }
header a { font-weight: 700; text-decoration: none; }
h1 { margin: 0; font-size: 0.875rem; font-weight: 400; }
a { color: inherit; }
header a, footer a { display: inline-block; padding-block: 0.2rem; }
a:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
ol { margin: 0; padding: 0; list-style: none; }
li { position: relative; display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: 0.75rem; align-items: center;
  padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line); }
.tile { display: grid; align-content: center; justify-items: center; min-height: 4rem; padding: 0.25rem;
  border: 1px solid rgb(128 128 128 / 35%); border-radius: 3px; background: var(--poster-background, var(--tile));
  color: var(--poster-text, var(--ink)); font-size: 0.75rem; font-weight: 600; line-height: 1.2; text-align: center; }
.tile b { font-size: 1.5rem; line-height: 1.05; }
h2 { margin: 0; font-size: 1rem; line-height: 1.25; }
h2 a { text-decoration: none; }
h2 a::after { content: ""; position: absolute; inset: 0; }
li:hover h2 a { text-decoration: underline; }
li p, .none, footer { color: var(--quiet); font-size: 0.875rem; }
li p { margin: 0; }
.none { margin: 0; padding: 1rem 0.75rem; }
@media (forced-colors: active) { .tile { border-color: CanvasText; } }
`;
