import type { Language } from '../shared/texts/texts';

/** @param size customers waiting */
type QueueText = (size: number) => string;

export interface WidgetTexts {
  label: string;
  /** The panel, for screen readers. */
  panel: string;
  close: string;
  /** Leads to the page where the panel does not show it. */
  newTab: string;
  closed: string;
  queue: QueueText;
}

const counted =
  (none: string, one: string, many: string): QueueText =>
  (size) =>
    size === 0 ? none : `${size} ${size === 1 ? one : many}`;

export const TEXTS: Record<Language, WidgetTexts> = {
  pt: {
    label: 'Falar por vídeo',
    panel: 'Chamada de vídeo',
    close: 'Fechar (a chamada continua)',
    newTab: 'Abrir em uma nova aba',
    closed: 'Fechado agora',
    queue: counted('Aberto, sem espera', 'pessoa na fila', 'pessoas na fila'),
  },
  en: {
    label: 'Talk by video',
    panel: 'Video call',
    close: 'Close (the call goes on)',
    newTab: 'Open in a new tab',
    closed: 'Closed now',
    queue: counted('Open, nobody is waiting', 'person waiting', 'people waiting'),
  },
  es: {
    label: 'Hablar por video',
    panel: 'Videollamada',
    close: 'Cerrar (la llamada continúa)',
    newTab: 'Abrir en una pestaña nueva',
    closed: 'Cerrado ahora',
    queue: counted('Abierto, sin espera', 'persona en espera', 'personas en espera'),
  },
};
