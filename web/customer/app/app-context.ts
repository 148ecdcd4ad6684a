import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Signal } from '@preact/signals';
import type { PageData } from '../../shared/page-data';
import type { Language } from '../../shared/texts/texts';
import type { Attention } from '../device/attention';
import type { Lack } from '../device/browser';
import type { CallActions } from '../service/call-actions';
import type { CustomerApi } from '../service/customer-api';
import type { LineEntry } from '../service/line-entry';
import type { LiveCall } from '../service/live-call';
import type { PageHistory } from '../service/page-history';
import type { PageStore } from '../service/page-store';
import type { TabClaim } from '../service/tab-claim';
import type { CallTexts } from '../texts/call-texts';
import type { Texts } from '../texts/texts';

/** All that the screens use. */
export interface AppServices {
  page: PageData;
  store: PageStore;
  entry: LineEntry;
  actions: CallActions;
  api: CustomerApi;
  live: LiveCall;
  claim: TabClaim;
  history: PageHistory;
  attention: Attention;
  texts: Signal<Texts>;
  /** Null until they are loaded, with the call. */
  callTexts: Signal<CallTexts | null>;
  loadCallTexts: () => Promise<void>;
  language: Signal<Language>;
  /** IANA zone of the reader's device. */
  zone: string;
  /** What this browser lacks for a call; null if nothing, or if the customer goes on without it. */
  lack: Signal<Lack | null>;
  /** Sticks for the time of the page: the customer goes on without camera and microphone. */
  isTextOnly: Signal<boolean>;
  chooseLanguage: (language: Language) => void;
}

export const AppContext = createContext<AppServices | null>(null);

export function useApp(): AppServices {
  const services = useContext(AppContext);
  if (!services) throw new Error('There is no AppContext');
  return services;
}

/** The texts of the chosen language. */
export const useTexts = (): Texts => useApp().texts.value;

/** Of the parts that are loaded with the call. */
export function useCallTexts(): CallTexts {
  const { value } = useApp().callTexts;
  if (!value) throw new Error('The texts of the call are not loaded');
  return value;
}

/** For times of the department: the reader's language and zone. */
export function useReader() {
  const { language, zone } = useApp();
  return { language: language.value, zone, now: Date.now() };
}
