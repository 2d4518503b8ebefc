// Renders a page of the documentation as HTML: anchors for headings, links to other pages of the site, highlighted code
// (with classes, because the pages' policy allows no inline styles), tables that scroll separately.

import hljs from 'highlight.js/lib/common';
import MarkdownIt from 'markdown-it';

/** Anchors as forges generate them, so that links work there and here. */
function slugger() {
  const seen = new Map();
  return (text) => {
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

const highlight = (code, language) =>
  hljs.getLanguage(language)
    ? hljs.highlight(code, { language, ignoreIllegals: true }).value
    : escapeHtml(code);

export const escapeHtml = (text) => text.replaceAll(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);

/**
 * @param {string} text
 * @param {(target: string) => string | null} resolve returns a link's address on the site, or null if the target is not on it
 */
export function renderPage(text, resolve) {
  const md = new MarkdownIt({ html: true, highlight });
  const slug = slugger();
  const tokens = md.parse(text.replaceAll(/<!--[\s\S]*?-->\n?/g, ''), {});
  leaveCornersEmpty(tokens);
  const sections = [{ level: 1, title: '', anchor: '', text: '' }];
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = plainText(tokens[at + 1]);
      const anchor = slug(title);
      token.attrSet('id', anchor);
      const level = Number(token.tag.slice(1));
      if (level === 1 && sections[0].title === '') Object.assign(sections[0], { title, anchor });
      else sections.push({ level, title, anchor, text: '' });
    } else if (token.type === 'inline') {
      if (tokens[at - 1].type !== 'heading_open') sections.at(-1).text += `${plainText(token)}\n`;
      resolveLinks(token.children, resolve);
    } else if (token.type === 'fence') sections.at(-1).text += `${token.content}\n`;
  }
  for (const kind of ['fence', 'code_block']) {
    const plain = md.renderer.rules[kind];
    md.renderer.rules[kind] = (...args) =>
      `<div class="block">${plain(...args).replace('<pre>', '<pre tabindex="0">')}</div>\n`;
  }
  // A scrolling element must be focusable. It is not a landmark: a page would have dozens with the same name.
  md.renderer.rules.table_open = () =>
    '<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
  const html = md.renderer.render(tokens, md.options, {});
  const anchors = new Set([
    ...sections.map(({ anchor }) => anchor),
    ...Array.from(html.matchAll(/<a id="([^"]+)"/g), ([, id]) => id),
  ]);
  return { title: sections[0].title, sections, html, anchors };
}

/** Many tables have an empty first header cell, which must not be announced as a header. */
function leaveCornersEmpty(tokens) {
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'th_open' || tokens[at + 1].content !== '') continue;
    token.tag = 'td';
    tokens[at + 2].tag = 'td';
  }
}

function plainText({ children }) {
  return children
    .map(({ type, content }) =>
      type === 'text' || type === 'code_inline' ? content : type === 'softbreak' ? ' ' : '',
    )
    .join('');
}

/** A link to a file that is not on the site becomes plain text: the site also works without the repository. */
function resolveLinks(children, resolve) {
  const isDropped = [];
  for (const token of children) {
    if (token.type === 'image') token.attrSet('src', resolve(token.attrGet('src')));
    else if (token.type === 'link_open') {
      const address = resolve(token.attrGet('href'));
      isDropped.push(address === null);
      if (address === null) Object.assign(token, { tag: 'span', attrs: null });
      else token.attrSet('href', address);
    } else if (token.type === 'link_close' && isDropped.pop()) token.tag = 'span';
  }
}
