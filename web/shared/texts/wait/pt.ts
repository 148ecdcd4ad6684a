import { plural } from '../plural';
import type { WaitTexts } from './en';

export const wait: WaitTexts = {
  underMinute: 'menos de um minuto',
  about: (time) => `cerca de ${time}`,
  upTo: (time) => `até ${time}`,
  minutes: (low, high) => `de ${low} a ${high} minutos`,
  between: (low, high) => `de ${low} a ${high}`,
  minute: (n, count) => `${n} ${plural(count, 'minuto', 'minutos')}`,
  hour: (n, count) => `${n} ${plural(count, 'hora', 'horas')}`,
  hourAndMinutes: (hours, minutes) => `${hours} h ${minutes} min`,
};
