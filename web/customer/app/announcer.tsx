import type { CallFacts, State } from '../state/state.types';
import { number } from '../../shared/texts/wait/wait-text';
import { useApp, useTexts } from './app-context';

/**
 * What screen readers say of changes inside a screen: the place in the line, messages in the closed chat, and, at once, that
 * it is the customer's turn.
 */
export function Announcer() {
  const { store, live, language } = useApp();
  const { waiting, called, unread: news } = useTexts();
  const state: State = store.state.value;
  const placeText = ({ ringing, position }: CallFacts) =>
    ringing ? waiting.ringing : waiting.position(number(position, language.value));
  const place = state.screen === 'waiting' ? placeText(state.call) : '';
  const unread = live.chat.unread.value;
  return (
    <>
      <p class="visually-hidden" role="status">
        {place}
      </p>
      <p class="visually-hidden" role="status" data-testid="chat-news">
        {state.screen === 'in_call' && unread > 0 ? news.chat(unread) : ''}
      </p>
      <p class="visually-hidden" role="alert">
        {state.screen === 'called' ? called.announce : ''}
      </p>
    </>
  );
}
