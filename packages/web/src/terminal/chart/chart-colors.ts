/** Colours of the page's style sheet, so that there is one list of them. */

export const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
