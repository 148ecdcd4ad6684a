import { OtherDeviceScreen } from '../screens/end/other-device-screen';
import { OverScreen } from '../screens/end/over-screen';
import { ThanksScreen } from '../screens/end/thanks-screen';
import { CallbackScreen } from '../screens/line/callback-screen';
import { CalledScreen } from '../screens/line/called-screen';
import { TakeOverScreen } from '../screens/line/take-over-screen';
import { ClosedScreen } from '../screens/start/closed-screen';
import { FullScreen } from '../screens/start/full-screen';
import { ProblemScreen } from '../screens/start/problem-screen';
import { UnsupportedScreen } from '../screens/start/unsupported-screen';
import type { State, StateOf } from '../state/state.types';
import { type AppServices, useApp } from './app-context';
import { lazyChunk } from './lazy-chunk';

const loadCall = async ({ loadCallTexts }: AppServices) => {
  const [chunk] = await Promise.all([import('../call/call-view'), loadCallTexts()]);
  return chunk;
};
const CallView = lazyChunk(async (services) => (await loadCall(services)).CallView);
const RatingScreen = lazyChunk(async (services) => (await loadCall(services)).RatingScreen);

/** The screens that follow the line, and those that few customers see. */
export function OtherScreens({ state }: { state: State }) {
  const { lack } = useApp();
  if (lack.value && state.screen !== 'problem') return <UnsupportedScreen lack={lack.value} />;
  switch (state.screen) {
    case 'problem':
      return <ProblemScreen state={state} />;
    case 'closed':
      return <ClosedScreen state={state} />;
    case 'full':
      return <FullScreen />;
    case 'callback':
      return <CallbackScreen state={state} />;
    case 'called':
    case 'in_call':
      return <ClaimedCall state={state} />;
    case 'over':
      return <OverScreen state={state} />;
    case 'rating':
      return <RatingScreen state={state} />;
    case 'thanks':
      return <ThanksScreen state={state} />;
    default:
      return <OtherDeviceScreen />;
  }
}

/** The call, in the one tab that holds it. */
function ClaimedCall({ state }: { state: StateOf<'called'> | StateOf<'in_call'> }) {
  const { claim } = useApp();
  switch (claim.claim.value) {
    case 'mine':
      return <CallView state={state} fallback={<CalledScreen call={state.call} />} />;
    case 'other':
      return <TakeOverScreen />;
    default:
      return <CalledScreen call={state.call} />;
  }
}

/** Loads the call, and what follows it, before it begins. */
export async function preloadCall(services: AppServices): Promise<void> {
  await Promise.all([CallView.preload(services), RatingScreen.preload(services)]);
}
