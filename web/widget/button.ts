import './button.css';
import { Embedder } from '../shared/embedding/embedder';
import { type LinkValidation, readPageData } from '../shared/page-data';
import { stateText } from './button-text';

/** How often the state is read again while it can be seen. Visitors of one office share a limit of requests. */
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
  const response = await fetch(`/api/v1/call/${page.token}/validate`).catch(() => undefined);
  if (!response?.ok) return;
  const { data } = (await response.json()) as { data: LinkValidation };
  setText('.call-button-state', stateText(data, page.language));
  sendSize();
}

button?.addEventListener('click', () => embedder.send({ type: 'vcq:open' }));
if (page.link) setInterval(() => void refresh(), REFRESH_MS);
