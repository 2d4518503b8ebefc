/** Copies rounded figures with all their digits: what somebody pastes into a sheet should be what the exchange has. */

export function copyExactly(): void {
  document.addEventListener('copy', (event) => {
    const selection = getSelection();
    if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return;
    const range = selection.getRangeAt(0);
    const whole = elementOf(range.commonAncestorContainer)?.closest<HTMLElement>('[data-exact]');
    const text = whole ? whole.dataset['exact'] : textOf(range.cloneContents());
    if (text === undefined) return;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  });
}

const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement);

/** Undefined where nothing was rounded: the browser's own way is right then. */
function textOf(fragment: DocumentFragment): string | undefined {
  const rounded = fragment.querySelectorAll<HTMLElement>('[data-exact]');
  if (rounded.length === 0) return undefined;
  for (const element of rounded) element.textContent = element.dataset['exact'] ?? '';
  const rows = [...fragment.querySelectorAll('tr')];
  if (rows.length === 0) return fragment.textContent ?? '';
  const cells = (row: Element): string =>
    [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim() ?? '').join('\t');
  return rows.map(cells).join('\n');
}
