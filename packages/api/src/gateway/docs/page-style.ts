/** How the documentation looks: no fonts or images, light and dark by the reader's setting. */

export const DOCS_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dce2, #343a43); --soft: light-dark(#f5f7f9, #1d2127);
  --text: light-dark(#1b1f24, #dfe3e8); --quiet: light-dark(#5c6670, #98a2ad); --accent: light-dark(#0b5fff, #7aa7ff); }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); font: 15px/1.55 system-ui, sans-serif;
  color: var(--text); background: light-dark(#fff, #14171b); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.2rem; border-right: 1px solid var(--line);
  display: flex; flex-direction: column; gap: .15rem; font-size: 13px; }
nav strong { font-size: 17px; margin-bottom: .5rem; }
nav > span { margin-top: .8rem; color: var(--quiet); text-transform: uppercase; font-size: 11px; letter-spacing: .06em; }
a { color: var(--accent); text-decoration: none; }
nav a { color: inherit; padding: .1rem 0; }
nav a:hover { color: var(--accent); }
main { padding: 2rem 2.5rem 6rem; max-width: 64rem; }
section { margin-bottom: 2.5rem; }
h1, h2, h3 { line-height: 1.25; }
h2 { border-top: 1px solid var(--line); padding-top: 1.6rem; }
pre, code, input, textarea, select { font: 13px/1.5 ui-monospace, SFMono-Regular, Consolas, monospace; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .8rem; overflow: auto; }
code { background: var(--soft); padding: .1rem .25rem; border-radius: 4px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
form { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .8rem; }
form label { display: grid; grid-template-columns: 7rem 1fr; gap: .6rem; align-items: center; margin-bottom: .4rem; }
form p { margin: .4rem 0 0; color: var(--quiet); font-size: 13px; }
input, textarea, select, button { padding: .35rem .5rem; border: 1px solid var(--line); border-radius: 4px; width: 100%;
  background: light-dark(#fff, #14171b); color: inherit; }
button { width: auto; cursor: pointer; padding: .35rem 1rem; background: var(--accent); color: light-dark(#fff, #14171b);
  font: inherit; border: 0; }
.method { display: inline-block; min-width: 4.2rem; font-weight: 700; }
.get { color: light-dark(#0a7a4b, #4cc38a); } .post { color: light-dark(#8a4b00, #f0a860); }
.delete { color: light-dark(#b42318, #ff8a80); }
.facts { color: var(--quiet); font-size: 13px; }
@media (max-width: 800px) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 1rem; } }
`;
