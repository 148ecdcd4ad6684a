import { plural } from '../../../../shared/texts/plural';
import type { WallTexts } from './en';

const es: WallTexts = {
  title: 'Panel en vivo',
  fullScreen: 'Pantalla completa',
  leaveFullScreen: 'Salir de pantalla completa',
  stale: (time) => `Sin noticias del servicio desde las ${time}. Las cifras de abajo son antiguas.`,
  noLines: 'Aún no hay departamentos.',
  totals: {
    label: 'Hoy',
    waiting: 'En espera ahora',
    inCall: 'En llamada ahora',
    offered: 'Llamadas hoy',
    answered: 'Atendidas',
    abandoned: 'Abandonadas o perdidas',
    serviceLevel: (target) => `Atendidas en ${target} o menos`,
    averageWait: 'Espera media',
  },
  line: {
    closed: 'Cerrado',
    closedUntil: (time) => `Cerrado hasta ${time}`,
    waiting: () => 'en espera',
    longest: 'Mayor espera',
    serviceLevel: (target) => `En ${target} o menos hoy`,
    members: (available, all) => `${available} de ${all} agentes disponibles`,
    more: (n) => plural(n, 'y 1 más', `y ${n} más`),
    absent: 'sin conexión',
    callback: 'se le devolverá la llamada',
  },
  noCalls: '–',
  alerts: {
    nobody_available: 'Nadie disponible',
    over_target: (target) => `Espera superior a ${target}`,
    longest_wait: 'Alerta: espera demasiado larga',
  },
  agents: {
    title: 'Agentes',
    all: 'Todos',
    search: 'Buscar un agente',
    none: 'Ningún agente coincide.',
    columns: { name: 'Agente', state: 'Estado', since: 'Hace', call: 'Llamada', actions: 'Cambiar' },
    openCall: 'Abrir la llamada',
    openCallOf: (name) => `Abrir la llamada de ${name}`,
    change: (name) => `Cambiar el estado de ${name}`,
    makeAvailable: 'Poner disponible',
    pause: 'Poner en pausa',
    pauseFor: (reason) => `Pausa: ${reason}`,
    handOver: 'Transferir la llamada',
    changed: (name) => `El estado de ${name} se ha cambiado.`,
    changesLater: (name) => `El estado de ${name} cambiará después de la llamada y del trabajo posterior.`,
    reserved: 'La llamada aún no ha empezado: ábrala para asignarla a otra persona.',
    paused: (state, reason) => `${state}: ${reason}`,
  },
};

export default es;
