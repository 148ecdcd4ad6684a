import { Embedder } from '../shared/embedding/embedder';
import { readPageData } from '../shared/page-data';

/** Screens on which the customer has neither a place in the line nor a call. */
const IDLE_SCREENS = ['form', 'problem', 'closed', 'full', 'unsupported', 'over', 'thanks', 'other_device'];

const isIdle = () => IDLE_SCREENS.includes(document.querySelector('main')?.dataset.screen ?? '');

/** What the customer's page does besides in the panel of the widget. */
const embedder = new Embedder(window, readPageData().sites, ({ type }) => {
  if (type === 'vcq:hello') embedder.send({ type: 'vcq:ready' });
  else embedder.send({ type: 'vcq:closed', isIdle: isIdle() });
});

// Last, so that a dialog of the page can take the key.
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]'))
    embedder.send({ type: 'vcq:escape' });
});
