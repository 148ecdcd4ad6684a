import './button.css';
import { Embedder } from '../shared/embedding/embedder';
import { readPageData } from '../shared/page-data';
import { stateText } from './button-text';

/** How often the state is read again while it can be seen. */
const REFRESH_MS = 60_000;

const page = readPageData();
const button = document.querySelector<HTMLButtonElement>('.call-button');
const embedder = new Embedder(window, page.sites, (message) => {
  if (message.type !== 'vcq:hello') return;
  if (message.label) setText('.call-button-label', message.label);
  embedder.send({ type: 'vcq:ready' });
  sendSize();
});

function setText(selector: string, text: string): void {
  const element = button?.querySelector(selector);
  if (element) element.textContent = text;
}

function sendSize(): void {
  const { width, height } = document.querySelector('#app')?.getBoundingClientRect() ?? {
    width: 0,
    height: 0,
  };
  embedder.send({ type: 'vcq:size', width: Math.ceil(width), height: Math.ceil(height) });
}

async function refresh(): Promise<void> {
  if (document.hidden) return;
  // From this document: visitors of one office share the limit of requests to the API.
  const html = await fetch(location.href)
    .then((response) => (response.ok ? response.text() : undefined))
    .catch(() => undefined);
  if (html === undefined) return;
  // Browsers apply the policy of this document to styles of what it parses, and report those with another nonce.
  const withoutStyles = html.replaceAll(/<style\b[^]*?<\/style>/g, '');
  const { link } = readPageData(new DOMParser().parseFromString(withoutStyles, 'text/html'));
  if (link) setText('.call-button-state', stateText(link, page.language));
  sendSize();
}

button?.addEventListener('click', () => embedder.send({ type: 'vcq:open' }));
if (page.link) setInterval(() => void refresh(), REFRESH_MS);
