import type { Language } from '../shared/texts/texts';

const TEXTS: Record<Language, string> = {
  pt: 'Esta página precisa de JavaScript para a chamada de vídeo. Ative-o no navegador e recarregue a página.',
  en: 'This page needs JavaScript for the video call. Turn it on in your browser and reload the page.',
  es: 'Esta página necesita JavaScript para la videollamada. Actívelo en el navegador y vuelva a cargar la página.',
};

export const noScriptText = (language: Language): string => TEXTS[language];
