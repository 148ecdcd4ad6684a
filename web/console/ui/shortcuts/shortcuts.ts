import { signal } from '@preact/signals-core';
import { isField, matchesShortcut, takesKeys } from './shortcut.rules';
import { QUIET_MS, TypingGuard } from './typing-guard';

export interface Shortcut {
  /** See `matchesShortcut`. */
  keys: string;
  /** What it does, for the list of shortcuts. */
  label: string;
  action: () => void;
  /** It changes nothing, so it needs no pause before it. */
  onlyOpens?: boolean;
}

const STORAGE_KEY = 'vcq-console-shortcuts';
const OFF = 'off';

/** Those that work now, in the order in which they were added. */
export const shortcuts = signal<readonly Shortcut[]>([]);

export const isShortcutListOpen = signal(false);

/** Speech input can press keys by mistake, so all shortcuts can be switched off. */
export const areShortcutsOn = signal(localStorage.getItem(STORAGE_KEY) !== OFF);

export function switchShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, OFF);
  areShortcutsOn.value = isOn;
}

/** @returns removes it */
export function addShortcut(shortcut: Shortcut): () => void {
  shortcuts.value = [...shortcuts.peek(), shortcut];
  return () => {
    shortcuts.value = shortcuts.peek().filter((other) => other !== shortcut);
  };
}

const guard = new TypingGuard();
let pressed = guard.press('', -Infinity);
let quietTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows by an attribute of the page whether a key would change something now. */
function waitForQuiet(): void {
  const { dataset } = document.documentElement;
  dataset.keys = 'waiting';
  clearTimeout(quietTimer);
  quietTimer = setTimeout(() => (dataset.keys = 'ready'), QUIET_MS);
}

/** Every key counts, also one that a field or a dialog keeps for itself. */
function noteKey({ key, timeStamp }: KeyboardEvent): void {
  pressed = guard.press(key, timeStamp);
  waitForQuiet();
}

/** Where somebody typed last. */
let field: Element | null = null;
/** No event tells in every browser that the element with the focus is removed. */
const removals = new MutationObserver(() => noteRemoval(field));

function noteRemoval(typedIn: Element | null): void {
  if (typedIn?.isConnected !== false) return;
  if (typedIn === field) watchField(null);
  guard.removeField(performance.now(), typedIn instanceof HTMLInputElement);
  waitForQuiet();
}

function watchField(element: Element | null): void {
  field = element;
  removals.disconnect();
  if (element) removals.observe(document, { childList: true, subtree: true });
}

/** Of two with the same keys the newer one acts. */
function onKeyDown(event: KeyboardEvent): void {
  if (!areShortcutsOn.peek() || event.repeat || event.isComposing || event.defaultPrevented) return;
  if (takesKeys(event.target instanceof Element ? event.target : null)) return;
  const shortcut = shortcuts.peek().findLast(({ keys }) => matchesShortcut(keys, event));
  if (!shortcut || !(shortcut.onlyOpens ? pressed.mayOpen : pressed.mayChange)) return;
  event.preventDefault();
  shortcut.action();
}

addEventListener('keydown', noteKey, { capture: true });
addEventListener('keydown', onKeyDown);
addEventListener('focusin', ({ target }) => {
  const former = field;
  watchField(target instanceof Element && isField(target) ? target : null);
  // What is about to be removed together with its field may give the focus back before.
  if (former !== field) queueMicrotask(() => noteRemoval(former));
});
// Without another element that gets the focus: by a click beside the field. One that is removed has not been left.
addEventListener('focusout', ({ target }) =>
  queueMicrotask(() => {
    if (target === field && field?.isConnected) watchField(null);
  }),
);
document.documentElement.dataset.keys = 'ready';
