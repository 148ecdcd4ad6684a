/** What this script keeps in the entry of the browser's history, which survives a reload of this tab. */
interface Entry {
  reloads?: number;
}

/** So that a file that never loads does not reload the page for ever. */
const MAX_RELOADS = 3;
const FIRST_PAUSE_MS = 500;

let isDropped = false;

/**
 * Reloads the page when the browser has dropped one of its scripts, as it does with all requests under way when a phone
 * changes from one network to another. Without that script nothing on the page works, so this one is the first.
 */
function onError({ target }: Event): void {
  const { reloads = 0 } = readEntry();
  if (isDropped || (target as Partial<Element>).tagName !== 'SCRIPT' || reloads >= MAX_RELOADS) return;
  isDropped = true;
  write({ reloads: reloads + 1 });
  // The browser's own page about a lost network would replace what can be read already.
  if (navigator.onLine) setTimeout(reload, FIRST_PAUSE_MS * 2 ** reloads * (1 + Math.random()));
  else addEventListener('online', reload);
}

function onLoad(): void {
  if (!isDropped && readEntry().reloads) write({ reloads: undefined });
}

const readEntry = () => (history.state ?? {}) as Entry;
const write = (changes: Entry) => history.replaceState({ ...readEntry(), ...changes }, '');
const reload = () => location.reload();

// Errors of elements do not bubble.
addEventListener('error', onError, true);
addEventListener('load', onLoad);
