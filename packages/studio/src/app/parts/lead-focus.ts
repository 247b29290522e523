/**
 * Where the keyboard goes when what had it is gone: a button that was pressed may be disabled or taken away by what it did,
 * and the keyboard would be nowhere. Whoever is at work in another card meanwhile is left alone.
 * @module
 */

export function leadFocus(target: HTMLElement | null): void {
  const card = document.activeElement?.closest(".card");
  if (card == null || card === target?.closest(".card")) target?.focus();
}
