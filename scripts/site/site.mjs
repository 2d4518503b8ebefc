// The documentation as pages that the exchange serves at /docs: every Markdown file below docs/ and the ones beside the
// README, in the order of docs/README.md. A broken link, or a page that docs/README.md does not list, is an error.
//
// Compared with VitePress: it ships a Vue application for static text, a second Vite and its own look. Markdown,
// highlighting and search are libraries here too; the rest is this file.

import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import MiniSearch from 'minisearch';
import { root } from '../tree.mjs';
import { escapeHtml, renderPage } from './markdown.mjs';

const HOME = 'docs/README.md';
/** Served at this path. */
const BASE = '/docs/';
/** Must equal the constant in packages/web/src/docs/site.ts. */
const SEARCH = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'path'] };

const pathOf = (file) => {
  if (file === HOME) return BASE;
  const name = file.replace(/^docs\//, '').replace(/\.md$/, '');
  return `${BASE}${file.startsWith('docs/') ? name : name.toLowerCase()}/`;
};

/** @param {string} to the folder of the built pages, which has the template `docs.html` */
export async function buildSite(to) {
  const template = await readFile(join(to, 'docs.html'), 'utf8');
  await rm(join(to, 'docs.html'));
  const pages = await readPages();
  const order = readOrder(pages.get(HOME));
  const problems = [...checkLinks(pages), ...checkListed(pages, order)];
  if (problems.length > 0) throw new Error(`documentation:\n${problems.join('\n')}`);
  const flat = order.flatMap(({ files }) => files);
  for (const [file, page] of pages) {
    const at = flat.indexOf(file);
    const whole = template
      .replace('%TITLE%', () => escapeHtml(page.title))
      .replace('%CONTENTS%', () => contents(order, pages, file))
      .replace('%OUTLINE%', () => outline(page))
      .replace('%PAGE%', () => page.html + turn(pages.get(flat[at - 1]), pages.get(flat[at + 1])));
    await write(join(to, page.path, 'index.html'), whole);
  }
  await write(join(to, BASE, 'search.json'), JSON.stringify(indexOf(pages)));
  const images = (await readdir(join(root, 'docs/images'))).map((name) => `docs/images/${name}`);
  await mkdir(join(to, BASE, 'images'), { recursive: true });
  for (const image of images) await copyFile(join(root, image), join(to, image));
  return pages;
}

async function write(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function readPages() {
  const below = await readdir(join(root, 'docs'), { recursive: true });
  const beside = (await readdir(root)).filter((name) => /^[A-Z_]+\.md$/.test(name));
  const files = [
    ...below.filter((name) => name.endsWith('.md')).map((name) => posix.join('docs', name)),
    ...beside,
  ];
  const pages = new Map();
  for (const file of files.toSorted()) {
    const text = await readFile(join(root, file), 'utf8');
    const links = [];
    const resolve = (target) => {
      if (/^[a-z]+:/.test(target)) return target;
      const [name, anchor = ''] = target.split('#');
      const aim = name === '' ? file : posix.join(posix.dirname(file), decodeURIComponent(name));
      if (aim.startsWith('docs/images/')) return `/${aim}`;
      links.push({ aim, anchor });
      if (!files.includes(aim)) return null;
      return `${pathOf(aim)}${anchor === '' ? '' : `#${anchor}`}`;
    };
    pages.set(file, { file, path: pathOf(file), links, ...renderPage(text, resolve) });
  }
  return pages;
}

/** The lists of docs/README.md by heading. */
function readOrder({ sections, links, html }) {
  const parts = html.split(/<h2 id="[^"]*">/).slice(1);
  const titles = sections.filter(({ level }) => level === 2).map(({ title }) => title);
  const files = new Map(links.map(({ aim }) => [pathOf(aim), aim]));
  const taken = new Set();
  return parts.map((part, at) => ({
    title: titles[at],
    files: Array.from(part.matchAll(/href="(\/docs\/[^"#]*)/g), ([, path]) => files.get(path)).filter(
      (file) => file !== undefined && !taken.has(file) && taken.add(file),
    ),
  }));
}

function checkListed(pages, order) {
  const listed = new Set(order.flatMap(({ files }) => files));
  return [...pages.keys()]
    .filter((file) => file !== HOME && file.startsWith('docs/') && !listed.has(file))
    .map((file) => `${file} is in no list of ${HOME}`);
}

function checkLinks(pages) {
  return [...pages.values()].flatMap(({ file, links }) =>
    links
      .filter(({ aim, anchor }) => anchor !== '' && pages.has(aim) && !pages.get(aim).anchors.has(anchor))
      .map(({ aim, anchor }) => `${file}: ${aim} has no heading #${anchor}`),
  );
}

function contents(order, pages, here) {
  return order
    .map(({ title, files }) => {
      const links = files.map((file) => {
        const { path, title: name } = pages.get(file);
        return `<li><a href="${path}"${file === here ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`;
      });
      const isOpen = here === HOME || files.includes(here);
      return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${links.join('')}</ul></details>`;
    })
    .join('');
}

function outline({ sections }) {
  const links = sections
    .filter(({ level }) => level === 2)
    .map(({ anchor, title }) => `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`);
  if (links.length < 2) return '<div></div>';
  return `<nav class="outline" aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></nav>`;
}

function turn(before, after) {
  const link = (page, label) =>
    page === undefined ? '' : `<a href="${page.path}">${label(escapeHtml(page.title))}</a>`;
  const links = link(before, (title) => `← ${title}`) + link(after, (title) => `${title} →`);
  return links === '' ? '' : `<nav class="turn" aria-label="Neighbouring pages">${links}</nav>`;
}

function indexOf(pages) {
  const index = new MiniSearch(SEARCH);
  let id = 0;
  for (const { title: page, path, sections } of pages.values()) {
    for (const { title, anchor, text } of sections) {
      const address = anchor === '' || title === page ? path : `${path}#${anchor}`;
      index.add({ id: id++, title, page, text, path: address });
    }
  }
  return index;
}
