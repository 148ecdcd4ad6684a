import { render } from 'preact';
import { readPageData } from '../shared/page-data';
import { loadTexts } from '../shared/texts/texts';
import { App, preloadCall, preloadOthers } from './app/app';
import { AppContext } from './app/app-context';
import { createServices } from './app/create-services';
import { reloadAfterDeployment } from './app/reload-after-deployment';
import { surviveTranslation } from './app/survive-translation';
import { pause } from '../shared/pause';
import { PageHistory } from './service/page-history';
import { retry } from '../shared/api/retry';
import type { Screen } from './state/state.types';
import { TEXTS } from './texts/texts';
import './styles/index.css';

const BEFORE_THE_END: ReadonlySet<Screen> = new Set<Screen>([
  'resuming',
  'waiting',
  'callback',
  'called',
  'in_call',
]);

/** Screens in a file of their own that a page can begin with. */
const RENDERED_APART: ReadonlySet<Screen> = new Set<Screen>(['problem', 'closed']);

surviveTranslation();
const history = new PageHistory(globalThis.history, globalThis.location);
reloadAfterDeployment(history);

async function start(): Promise<void> {
  const page = readPageData();
  const texts = await retry(() => loadTexts(TEXTS, page.language), { pause });
  const services = createServices(page, history, texts);
  services.entry.start(services.lack.value !== null);
  // What the service has rendered stays until its screen is there.
  if (services.lack.value || RENDERED_APART.has(services.store.state.value.screen)) {
    await retry(() => preloadOthers(services), { pause });
  }
  const root = document.getElementById('app');
  if (root) {
    render(
      <AppContext.Provider value={services}>
        <App />
      </AppContext.Provider>,
      root,
    );
  }
  document.documentElement.dataset.ready = 'true';
  // The call is loaded while the customer waits, so that it begins at once, and the rating while there is a network.
  services.store.state.subscribe(({ screen }) => {
    history.setInLine(services.store.tokens.get() !== null);
    if (!BEFORE_THE_END.has(screen)) return;
    preloadCall(services).then(
      () => history.forgetReload(),
      () => undefined,
    );
  });
}

void start();
