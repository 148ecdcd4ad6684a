import { ClosedScreen } from '../screens/start/closed-screen';
import { FormScreen } from '../screens/start/form-screen';
import { FullScreen } from '../screens/start/full-screen';
import { ProblemScreen } from '../screens/start/problem-screen';
import { ResumingScreen } from '../screens/start/resuming-screen';
import { UnsupportedScreen } from '../screens/start/unsupported-screen';
import { type AppServices, useApp } from './app-context';
import { Announcer } from './announcer';
import { lazyChunk } from './lazy-chunk';
import { Masthead } from './masthead';
import { useSurroundings } from './use-surroundings';

const loadLater = () => import('./later-screens');
const LaterScreens = lazyChunk(async () => (await loadLater()).LaterScreens);

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

function CurrentScreen() {
  const { store, lack } = useApp();
  const state = store.state.value;
  if (lack.value && state.screen !== 'problem') return <UnsupportedScreen lack={lack.value} />;
  switch (state.screen) {
    case 'problem':
      return <ProblemScreen state={state} />;
    case 'closed':
      return <ClosedScreen state={state} />;
    case 'full':
      return <FullScreen />;
    case 'form':
    case 'joining':
      return <FormScreen state={state} />;
    case 'resuming':
      return <ResumingScreen state={state} />;
    default:
      return (
        <LaterScreens
          state={state}
          fallback={<ResumingScreen state={{ screen: 'resuming', retry: null }} />}
        />
      );
  }
}

/** Loads the screens that follow the first one, so that each is there at once. */
export const preloadLine = (services: AppServices): Promise<void> => LaterScreens.preload(services);

/** Loads the call, and what follows it, before it begins. */
export async function preloadCall(services: AppServices): Promise<void> {
  const later = await loadLater();
  await later.preloadCall(services);
}
