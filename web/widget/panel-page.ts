import { Embedder } from '../shared/embedding/embedder';
import { readPageData } from '../shared/page-data';

/** Screens on which the customer has neither a place in the line nor a call. */
const IDLE_SCREENS = ['form', 'problem', 'closed', 'full', 'unsupported', 'over', 'thanks', 'other_device'];

const screen = () => document.querySelector('main')?.dataset.screen ?? '';
const isIdle = () => IDLE_SCREENS.includes(screen());
const isInvited = () => document.querySelector('[data-testid="callback-return"]') !== null;

/** What the customer's page does besides in the panel of the widget. */
const embedder = new Embedder(window, readPageData().sites, ({ type }) => {
  if (type === 'vcq:hello') embedder.send({ type: 'vcq:ready' });
  else embedder.send({ type: 'vcq:closed', isIdle: isIdle() });
});

/** The screen last reported to the company's page, while that page asks for the customer; empty otherwise. */
let asking = '';

/** A closed panel is opened again by each of these screens, but not by the same one twice. */
function askForAttention(): void {
  const now = screen();
  const before = asking;
  asking = now === 'called' || now === 'in_call' || (now === 'callback' && isInvited()) ? now : '';
  if (asking !== '' && asking !== before) embedder.send({ type: 'vcq:attention' });
}

new MutationObserver(askForAttention).observe(document.body, {
  subtree: true,
  childList: true,
  attributeFilter: ['data-screen', 'data-testid'],
});

// Last, so that a dialog of the page can take the key.
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]'))
    embedder.send({ type: 'vcq:escape' });
});
