import { plural } from '../../../../../shared/texts/plural';
import type { EntryFacts } from '../facts';
import type { TimelineTexts } from './en';

const somebody = (name: string | null) => name ?? 'Un agente';
const anAgent = (name: string | null) => name ?? 'un agente';
const department = (name: string | null) =>
  name ? `en la cola de ${name}` : 'en la cola de un departamento';
const side = (participant: EntryFacts['participant']) =>
  participant === 'agent' ? 'el agente' : 'el cliente';
const Side = (participant: EntryFacts['participant']) =>
  participant === 'agent' ? 'El agente' : 'El cliente';

const RATED: Record<string, string> = {
  token: ', desde su página',
  address: ', desde la red en la que entró',
};
const rated = (by: string | null) => RATED[by ?? ''] ?? '';

const WITHDRAWN: Record<string, string> = {
  agent_busy: 'el agente recibió otra llamada',
  agent_offline: 'el agente perdió la conexión',
  agent_paused: 'el agente hizo una pausa',
  agent_inactive: 'el agente fue desactivado',
  not_a_member: 'el agente dejó el departamento',
  call_taken: 'otra persona tomó la llamada',
  call_ended: 'la llamada terminó',
  customer_left: 'el cliente se fue',
  customer_absent: 'el cliente perdió la conexión',
  department_changed: 'el departamento se modificó',
  tenant_suspended: 'la empresa fue suspendida',
  plan_limit: 'el plan no permite más llamadas a la vez',
  reassigned: 'un supervisor ofreció la llamada a otro agente',
};

const es: TimelineTexts = {
  title: 'Qué ha pasado',
  empty: 'No hay nada registrado de esta llamada.',
  forbidden: 'Solo los supervisores y los agentes de esta llamada pueden ver qué ha pasado con ella.',
  unknown: (type) => `Algo que esta versión de la consola no conoce: ${type}.`,
  note: (note) => `Nota: ${note}`,
  why: '¿Por qué este agente?',
  whyText: (n) =>
    plural(
      n,
      'Nadie más podía atenderla en ese momento:',
      `${n} agentes podían atenderla en ese momento. Por orden:`,
    ),
  idle: (time) => `sin llamada desde hace ${time}`,
  neverIdle: 'tiempo libre desconocido',
  skill: (name, level) => `${name}, nivel ${level}`,
  unknownSkill: 'una habilidad',
  quality: {
    run: (from, until) =>
      from === until ? `Conexión a las ${from}` : `Conexión de las ${from} a las ${until}`,
    sides: { customer: 'Cliente', agent: 'Agente' },
    levels: { good: 'buena', fair: 'aceptable', poor: 'mala' },
    rtt: (ms) => `retardo de ${ms} ms`,
    loss: (percent) => `${percent} de paquetes perdidos`,
    maxLoss: (percent) => `en el peor momento ${percent}`,
    bitrate: (kbit) => `como mínimo ${kbit} kbit/s`,
  },
  device: {
    title: 'La página del cliente comprobó el dispositivo:',
    camera: { ok: 'la cámara funciona', refused: 'cámara denegada', missing: 'sin cámara' },
    microphone: { ok: 'el micrófono funciona', refused: 'micrófono denegado', missing: 'sin micrófono' },
    network: { good: 'red buena', fair: 'red aceptable', poor: 'red mala' },
  },
  sentences: {
    joined: (f) => `El cliente entró ${department(f.department)}.`,
    offered: (f) => {
      if (f.kind === 'forced')
        return `${f.by ?? 'Un supervisor'} hizo ofrecer la llamada a ${anAgent(f.agent)}.`;
      if (f.kind === 'transfer')
        return `${somebody(f.by)} pidió a ${anAgent(f.agent)} que tomara la llamada.`;
      return `La llamada se ofreció a ${anAgent(f.agent)}.`;
    },
    accepted: (f) => `${somebody(f.agent)} aceptó.`,
    declined: (f) => `${somebody(f.agent)} rechazó${f.reason ? `: ${f.reason}` : ''}.`,
    expired: (f) => `${somebody(f.agent)} no respondió a tiempo.`,
    withdrawn: (f) => {
      const why = WITHDRAWN[f.reason ?? ''] ?? f.reason;
      return `La oferta a ${anAgent(f.agent)} se retiró${why ? `: ${why}` : ''}.`;
    },
    assigned: (f) =>
      f.by
        ? `La llamada se asignó a ${anAgent(f.agent)} en lugar de ${f.by}.`
        : `La llamada se asignó a ${anAgent(f.agent)}.`,
    requeued: (f) =>
      f.count
        ? `${somebody(f.agent)} no inició la llamada a tiempo (${plural(f.count, '1 vez', `${f.count} veces`)} hasta entonces). Volvió a su lugar en la cola.`
        : 'La llamada volvió a su lugar en la cola.',
    overflowed: (f) => `La llamada esperó demasiado y pasó a esperar también ${department(f.department)}.`,
    started: (f) => `${somebody(f.agent)} inició la llamada.`,
    peer_disconnected: (f) =>
      `${Side(f.participant)} perdió la conexión${f.until ? ` y tenía hasta las ${f.until} para volver` : ''}.`,
    peer_reconnected: (f) => `${Side(f.participant)} volvió.`,
    // A supervisor may have done it: the service does not tell.
    transferred: (f) =>
      f.to
        ? `La llamada pasó de ${anAgent(f.agent)} a ${f.to}.`
        : `La llamada salió de ${anAgent(f.agent)} y pasó a esperar ${department(f.department)}.`,
    recording_state: (f) => {
      if (f.consent === false) return 'El cliente rechazó la grabación.';
      if (f.recording === 'requested')
        return f.consent
          ? 'El cliente aceptó la grabación.'
          : `${somebody(f.agent)} pidió grabar la llamada.`;
      return f.recording === 'on' ? 'La grabación empezó.' : 'La grabación se detuvo.';
    },
    callback_requested: () =>
      'El cliente pidió que se le devolviera la llamada y conserva su lugar en la cola.',
    callback_invited: (f) =>
      `Se invitó al cliente a volver${f.until ? ` hasta las ${f.until}` : ''}${f.count ? ` (invitación ${f.count})` : ''}.`,
    callback_returned: () => 'El cliente volvió tras la invitación.',
    callback_expired: () => 'El cliente no volvió tras la invitación.',
    callback_cancelled: () => 'La devolución de llamada se canceló.',
    completed: (f) => {
      if (f.reason !== 'disconnect') return 'La llamada terminó con normalidad.';
      if (f.dropped.length === 2) return 'La llamada se cortó porque los dos lados perdieron la conexión.';
      const [who] = f.dropped;
      return who
        ? `La llamada se cortó: ${side(who)} perdió la conexión y no volvió a tiempo.`
        : 'La llamada se cortó: se perdió la conexión y no volvió a tiempo.';
    },
    missed: () => 'La llamada se perdió: ningún agente la inició a tiempo.',
    cancelled: () =>
      'La llamada se canceló antes de empezar: el cliente se fue o el departamento se eliminó.',
    abandoned: () =>
      'La espera terminó sin agente: el cliente estuvo ausente demasiado tiempo, se alcanzó la espera máxima o el departamento cerró.',
    rated: (f) => `El cliente valoró la llamada con ${f.rating} de 5${rated(f.rated_by)}.`,
  },
};

export default es;
