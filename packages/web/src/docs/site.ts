/** The script of the documentation pages: search, copy buttons and theme. Pages are readable without it. */

import './site.css';
import MiniSearch from 'minisearch';

interface Section {
  readonly title: string;
  readonly page: string;
  readonly path: string;
}

const FOUND_MAX = 12;
const INDEX_PATH = '/docs/search.json';
/** Must equal the options with which the build creates the index. */
const OPTIONS = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'path'] };

applyTheme();
addCopyButtons();
addSearch();

/** Uses the theme of the terminal in the same browser. Not imported from there, which would load the terminal. */
function applyTheme(): void {
  const prefersLight = matchMedia('(prefers-color-scheme: light)');
  const apply = (): void => {
    const { theme } = JSON.parse(localStorage.getItem('bourse.preferences') ?? '{}') as { theme?: unknown };
    const isLight = theme === 'light' || (theme !== 'dark' && prefersLight.matches);
    document.documentElement.dataset['theme'] = isLight ? 'light' : 'dark';
  };
  apply();
  prefersLight.addEventListener('change', apply);
}

function addCopyButtons(): void {
  for (const block of document.querySelectorAll('.block')) {
    const button = document.createElement('button');
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const text = block.querySelector('pre')!.textContent;
      button.textContent = await navigator.clipboard.writeText(text).then(
        () => 'Copied',
        () => 'Not allowed',
      );
      setTimeout(() => (button.textContent = 'Copy'), 1500);
    });
    block.append(button);
  }
}

function addSearch(): void {
  const input = document.querySelector<HTMLInputElement>('#search')!;
  const found = document.querySelector<HTMLElement>('#found')!;
  let index: Promise<MiniSearch> | undefined;
  const load = (): Promise<MiniSearch> =>
    (index ??= fetch(INDEX_PATH)
      .then((response) => response.text())
      .then((text) => MiniSearch.loadJSON(text, OPTIONS)));

  const show = async (): Promise<void> => {
    const words = input.value.trim();
    found.hidden = words === '';
    if (words === '') return;
    const sections = (await load()).search(words, {
      prefix: true,
      fuzzy: 0.15,
      boost: { title: 4, page: 2 },
    });
    if (input.value.trim() !== words) return;
    found.replaceChildren(...sections.slice(0, FOUND_MAX).map((each) => linkTo(each as unknown as Section)));
    if (sections.length === 0)
      found.append(sentence(`No page contains “${words}”. Try fewer or different words.`));
  };

  input.disabled = false;
  input.addEventListener('focus', () => void load());
  input.addEventListener('input', () => void show());
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === '/' && !isTyping) {
      event.preventDefault();
      input.focus();
    } else if (event.key === 'Escape') found.hidden = true;
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event, input, found);
    else if (event.key === 'Enter' && event.target === input) found.querySelector('a')?.click();
  });
  document.addEventListener('click', (event) => {
    if (!found.contains(event.target as Node) && event.target !== input) found.hidden = true;
  });
}

function moveFocus(event: KeyboardEvent, input: HTMLElement, found: HTMLElement): void {
  const places = [input, ...found.querySelectorAll('a')];
  const at = places.indexOf(document.activeElement as HTMLElement);
  if (found.hidden || at === -1) return;
  event.preventDefault();
  const step = event.key === 'ArrowDown' ? 1 : -1;
  places[Math.min(Math.max(at + step, 0), places.length - 1)].focus();
}

function linkTo({ title, page, path }: Section): HTMLElement {
  const link = document.createElement('a');
  link.href = path;
  link.append(title);
  if (page !== title) {
    const where = document.createElement('small');
    where.textContent = page;
    link.append(where);
  }
  return link;
}

function sentence(text: string): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  return paragraph;
}
