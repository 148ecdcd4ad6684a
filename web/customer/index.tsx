import { render } from 'preact';
import { readPageData } from '../shared/page-data';
import { loadTexts } from '../shared/texts/texts';
import { App, preloadCall, preloadLine } from './app/app';
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

surviveTranslation();
const history = new PageHistory(globalThis.history, globalThis.location);
reloadAfterDeployment(history);

async function start(): Promise<void> {
  const page = readPageData();
  const texts = await retry(() => loadTexts(TEXTS, page.language), { pause });
  const services = createServices(page, history, texts);
  services.entry.start(services.lack.value !== null);
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
  // If it fails, the first screen that needs it tries again.
  preloadLine(services).catch(() => undefined);
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
