import { WaitingScreen } from '../screens/line/waiting-screen';
import { FormScreen } from '../screens/start/form-screen';
import { ResumingScreen } from '../screens/start/resuming-screen';
import { type AppServices, useApp } from './app-context';
import { Announcer } from './announcer';
import { lazyChunk } from './lazy-chunk';
import { Masthead } from './masthead';
import { useSurroundings } from './use-surroundings';

const loadOthers = () => import('./other-screens');
const OtherScreens = lazyChunk(async () => (await loadOthers()).OtherScreens);

/** The page. */
export function App() {
  useSurroundings();
  return (
    <>
      <Masthead />
      <CurrentScreen />
      <Announcer />
    </>
  );
}

/** What most customers see until they are in the line. Other screens are in files of their own. */
function CurrentScreen() {
  const { store, lack } = useApp();
  const state = store.state.value;
  if (!lack.value) {
    if (state.screen === 'form' || state.screen === 'joining') return <FormScreen state={state} />;
    if (state.screen === 'resuming') return <ResumingScreen state={state} />;
    if (state.screen === 'waiting') return <WaitingScreen state={state} />;
  }
  return (
    <OtherScreens state={state} fallback={<ResumingScreen state={{ screen: 'resuming', retry: null }} />} />
  );
}

/** Loads what is not shown until the customer is in the line. */
export const preloadOthers = (services: AppServices): Promise<void> => OtherScreens.preload(services);

/** Loads the call, and what follows it, before it begins. */
export async function preloadCall(services: AppServices): Promise<void> {
  await preloadOthers(services);
  await (await loadOthers()).preloadCall(services);
}
