/**
 * Text of others for a page: marks of direction would show it as another text, and control characters would hide in it.
 * Both are shown as \\u and four digits. Line ends and tabs stay.
 */

const UNSEEN = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
