import { effect, signal } from '@preact/signals';
import { createApi } from '../../shared/api/client';
import type { PageData } from '../../shared/page-data';
import { newSession } from '../../shared/socket';
import { type Language, loadTexts } from '../../shared/texts/texts';
import { deviceZone } from '../../shared/zones';
import { Attention } from '../device/attention';
import { type Lack, lackOf } from '../device/browser';
import { pause } from '../../shared/pause';
import { CallActions } from '../service/call-actions';
import { CustomerApi } from '../service/customer-api';
import { LineEntry } from '../service/line-entry';
import { LiveCall } from '../service/live-call';
import { PageHistory } from '../service/page-history';
import { PageStore } from '../service/page-store';
import { retry } from '../../shared/api/retry';
import { TabClaim, type TabChannel } from '../service/tab-claim';
import { TokenStore } from '../service/token-store';
import { CALL_TEXTS, type CallTexts } from '../texts/call-texts';
import { TEXTS } from '../texts/texts';
import type { Texts } from '../texts/texts';
import type { AppServices } from './app-context';

/** A network may swallow requests, and browsers would wait for minutes: the page says so and repeats the request. */
const TIMEOUT_MS = 8000;
/** 10 MiB by a slow mobile network. */
const UPLOAD_TIMEOUT_MS = 180_000;

/** Everything that the page is made of. @param texts of the language in the page data */
export function createServices(page: PageData, history: PageHistory, firstTexts: Texts): AppServices {
  const tokens = new TokenStore(page.token);
  const apiWithin = (timeoutMs: number) => createApi({ token: () => tokens.get(), timeoutMs });
  const api = new CustomerApi(apiWithin(TIMEOUT_MS), page.token, apiWithin(UPLOAD_TIMEOUT_MS));
  const session = newSession();
  const live = new LiveCall({
    token: () => tokens.get() ?? '',
    session,
    absenceSeconds: page.absence_seconds,
    newId: newSession,
    memory: history,
  });
  const store = new PageStore(page, tokens, live, history);
  const entry = new LineEntry(store, api, history, pause);
  const actions = new CallActions(store, entry, api, pause);
  const claim = new TabClaim(session, channelOf(tokens.name), () => document.visibilityState === 'visible');
  live.onTakenOver = () => claim.lose();
  const texts = signal(firstTexts);
  const callTexts = signal<CallTexts | null>(null);
  const language = signal<Language>(page.language);
  let lastChosen = page.language;
  const chooseLanguage = (chosen: Language) => {
    lastChosen = chosen;
    const load = () => Promise.all([loadTexts(TEXTS, chosen), loadTexts(CALL_TEXTS, chosen)]);
    void retry(load, { pause }).then(([loaded, ofCall]) => {
      if (chosen !== lastChosen) return;
      texts.value = loaded;
      callTexts.value = ofCall;
      language.value = chosen;
      history.setLanguage(chosen);
    });
  };
  const loadCallTexts = async () => {
    const loaded = await loadTexts(CALL_TEXTS, language.value);
    // Those of a language that was chosen meanwhile are there already.
    callTexts.value ??= loaded;
  };
  effect(() => {
    document.documentElement.lang = language.value;
  });
  return {
    page,
    store,
    entry,
    actions,
    api,
    live,
    claim,
    history,
    attention: new Attention(),
    texts,
    callTexts,
    loadCallTexts,
    language,
    zone: deviceZone(),
    lack: signal<Lack | null>(lackOfBrowser()),
    isTextOnly: signal(false),
    chooseLanguage,
  };
}

function lackOfBrowser(): Lack | null {
  return lackOf({
    userAgent: navigator.userAgent,
    hasWebRtc: typeof RTCPeerConnection === 'function',
    hasGetUserMedia: typeof navigator.mediaDevices?.getUserMedia === 'function',
    isSecure: isSecureContext,
  });
}

function channelOf(name: string): TabChannel | undefined {
  return typeof BroadcastChannel === 'function' ? new BroadcastChannel(name) : undefined;
}
