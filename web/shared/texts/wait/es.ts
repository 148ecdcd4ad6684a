import { plural } from '../plural';
import type { WaitTexts } from './en';

export const wait: WaitTexts = {
  underMinute: 'menos de un minuto',
  about: (time) => `unos ${time}`,
  upTo: (time) => `hasta ${time}`,
  minutes: (low, high) => `de ${low} a ${high} minutos`,
  between: (low, high) => `de ${low} a ${high}`,
  minute: (n, count) => `${n} ${plural(count, 'minuto', 'minutos')}`,
  hour: (n, count) => `${n} ${plural(count, 'hora', 'horas')}`,
  hourAndMinutes: (hours, minutes) => `${hours} h ${minutes} min`,
};
