import { signal } from '@preact/signals';
import { renderToString } from 'preact-render-to-string';
import type { PageData } from '../../shared/page-data';
import { isKnownZone } from '../../shared/zones';
import { AppContext, type AppServices } from '../app/app-context';
import { Masthead } from '../app/masthead';
import { surviveTranslation } from '../app/survive-translation';
import { ClosedScreen } from '../screens/start/closed-screen';
import { FormScreen } from '../screens/start/form-screen';
import { ProblemScreen } from '../screens/start/problem-screen';
import { ResumingScreen } from '../screens/start/resuming-screen';
import { stateWithoutCall } from '../state/start';
import type { State } from '../state/state.types';
import en from '../texts/en';
import es from '../texts/es';
import pt from '../texts/pt';

const TEXTS = { en, es, pt };

surviveTranslation();

/**
 * The content of the page as the script will first show it to a customer without a place in the line, so that the page
 * can be read before the script has arrived. Runs in the service.
 * @param isInLine whether the address says that the customer is in the line, so that a reload does not show the form
 */
export function renderCustomerPage(page: PageData, isInLine: boolean): string {
  // What the first screens read. Nothing happens before the script runs, so there is nothing to call.
  const services = {
    page,
    store: { link: signal(page.link) },
    entry: { form: { name: '', email: null, phone: null, reason: null } },
    texts: signal(TEXTS[page.language]),
    language: signal(page.language),
    // The reader's is not known here: the script names the zone of the department where they differ.
    zone: isKnownZone(page.timezone) ? page.timezone : 'UTC',
    lack: signal(null),
    isTextOnly: signal(false),
  } as unknown as AppServices;
  return renderToString(
    <AppContext.Provider value={services}>
      <Masthead />
      <FirstScreen state={isInLine ? { screen: 'resuming', retry: null } : stateWithoutCall(page)} />
    </AppContext.Provider>,
  );
}

function FirstScreen({ state }: { state: State }) {
  if (state.screen === 'problem') return <ProblemScreen state={state} />;
  if (state.screen === 'resuming') return <ResumingScreen state={state} />;
  if (state.screen === 'closed') return <ClosedScreen state={state} />;
  return state.screen === 'form' ? <FormScreen state={state} /> : null;
}
