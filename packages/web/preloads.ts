/**
 * A vite plugin: lists in each HTML file the scripts that its page needs, so that the browser requests all of them at
 * once and not one after the other as imports name them.
 */

import type { Plugin, Rolldown } from 'vite';

/** `pages`: by HTML file, the ends of the paths of the modules that its page loads first. */
export function preloads(pages: Readonly<Record<string, readonly string[]>>): Plugin {
  return {
    name: 'preloads',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {}, path }) {
        const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
        const wanted = pages[path] ?? [];
        const first = chunks.filter(({ facadeModuleId }) =>
          wanted.some((name) => facadeModuleId?.endsWith(name)),
        );
        const entry = chunks.find(({ isEntry, facadeModuleId }) => isEntry && facadeModuleId?.endsWith(path));
        const known = new Set(entry === undefined ? [] : withImports(entry, bundle));
        const files = new Set(first.flatMap((chunk) => withImports(chunk, bundle)));
        return [...files]
          .filter((file) => !known.has(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          }));
      },
    },
  };
}

/** The files of a chunk and of all its imports. */
function withImports(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const files = new Set<string>();
  const add = ({ fileName, imports }: Rolldown.OutputChunk): void => {
    if (files.has(fileName)) return;
    files.add(fileName);
    for (const name of imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') add(imported);
    }
  };
  add(chunk);
  return [...files];
}
