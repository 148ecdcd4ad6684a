import { plural } from '../../../../../shared/texts/plural';
import type { EntryFacts } from '../facts';
import type { TimelineTexts } from './en';

const somebody = (name: string | null) => name ?? 'Um atendente';
const anAgent = (name: string | null) => name ?? 'um atendente';
const department = (name: string | null) => (name ? `na fila de ${name}` : 'na fila de um departamento');
const side = (participant: EntryFacts['participant']) =>
  participant === 'agent' ? 'o atendente' : 'o cliente';
const Side = (participant: EntryFacts['participant']) =>
  participant === 'agent' ? 'O atendente' : 'O cliente';

const RATED: Record<string, string> = { token: ', pela página dele', address: ', pela rede de onde entrou' };
const rated = (by: string | null) => RATED[by ?? ''] ?? '';

const WITHDRAWN: Record<string, string> = {
  agent_busy: 'o atendente recebeu outra chamada',
  agent_offline: 'o atendente perdeu a conexão',
  agent_paused: 'o atendente entrou em pausa',
  agent_inactive: 'o atendente foi desativado',
  not_a_member: 'o atendente saiu do departamento',
  call_taken: 'outra pessoa pegou a chamada',
  call_ended: 'a chamada terminou',
  customer_left: 'o cliente saiu',
  customer_absent: 'o cliente perdeu a conexão',
  department_changed: 'o departamento foi alterado',
  tenant_suspended: 'a empresa foi suspensa',
  plan_limit: 'o plano não permite mais chamadas ao mesmo tempo',
  reassigned: 'um supervisor ofereceu a chamada a outro atendente',
};

const pt: TimelineTexts = {
  title: 'O que aconteceu',
  empty: 'Nada foi registrado sobre esta chamada.',
  forbidden: 'Só supervisores e os atendentes desta chamada podem ver o que aconteceu com ela.',
  unknown: (type) => `Algo que esta versão do console não conhece: ${type}.`,
  note: (note) => `Observação: ${note}`,
  why: 'Por que este atendente?',
  whyText: (n) =>
    plural(
      n,
      'Ninguém mais podia atender naquele momento:',
      `${n} atendentes podiam atender naquele momento. Por ordem:`,
    ),
  idle: (time) => `sem chamada há ${time}`,
  neverIdle: 'tempo livre desconhecido',
  skill: (name, level) => `${name}, nível ${level}`,
  unknownSkill: 'uma habilidade',
  quality: {
    run: (from, until) => (from === until ? `Conexão às ${from}` : `Conexão das ${from} às ${until}`),
    sides: { customer: 'Cliente', agent: 'Atendente' },
    levels: { good: 'boa', fair: 'razoável', poor: 'ruim' },
    rtt: (ms) => `atraso de ${ms} ms`,
    loss: (percent) => `${percent} dos pacotes perdidos`,
    maxLoss: (percent) => `no pior momento ${percent}`,
    bitrate: (kbit) => `no mínimo ${kbit} kbit/s`,
  },
  device: {
    title: 'A página do cliente verificou o dispositivo:',
    camera: { ok: 'câmera funciona', refused: 'câmera recusada', missing: 'sem câmera' },
    microphone: { ok: 'microfone funciona', refused: 'microfone recusado', missing: 'sem microfone' },
    network: { good: 'rede boa', fair: 'rede razoável', poor: 'rede ruim' },
  },
  sentences: {
    joined: (f) => `O cliente entrou ${department(f.department)}.`,
    offered: (f) => {
      if (f.kind === 'forced')
        return `${f.by ?? 'Um supervisor'} mandou oferecer a chamada a ${anAgent(f.agent)}.`;
      if (f.kind === 'transfer')
        return `${somebody(f.by)} pediu a ${anAgent(f.agent)} que assumisse a chamada.`;
      return `A chamada foi oferecida a ${anAgent(f.agent)}.`;
    },
    accepted: (f) => `${somebody(f.agent)} aceitou.`,
    declined: (f) => `${somebody(f.agent)} recusou${f.reason ? `: ${f.reason}` : ''}.`,
    expired: (f) => `${somebody(f.agent)} não respondeu a tempo.`,
    withdrawn: (f) => {
      const why = WITHDRAWN[f.reason ?? ''] ?? f.reason;
      return `A oferta a ${anAgent(f.agent)} foi retirada${why ? `: ${why}` : ''}.`;
    },
    assigned: (f) =>
      f.by
        ? `A chamada foi atribuída a ${anAgent(f.agent)} no lugar de ${f.by}.`
        : `A chamada foi atribuída a ${anAgent(f.agent)}.`,
    requeued: (f) =>
      f.count
        ? `${somebody(f.agent)} não iniciou a chamada a tempo (${plural(f.count, '1 vez', `${f.count} vezes`)} até então). Ela voltou ao seu lugar na fila.`
        : 'A chamada voltou ao seu lugar na fila.',
    overflowed: (f) => `A chamada esperou demais e passou a esperar também ${department(f.department)}.`,
    started: (f) => `${somebody(f.agent)} iniciou a chamada.`,
    peer_disconnected: (f) =>
      `${Side(f.participant)} perdeu a conexão${f.until ? ` e tinha até ${f.until} para voltar` : ''}.`,
    peer_reconnected: (f) => `${Side(f.participant)} voltou.`,
    // A supervisor may have done it: the service does not tell.
    transferred: (f) =>
      f.to
        ? `A chamada passou de ${anAgent(f.agent)} para ${f.to}.`
        : `A chamada saiu de ${anAgent(f.agent)} e passou a esperar ${department(f.department)}.`,
    recording_state: (f) => {
      if (f.consent === false) return 'O cliente recusou a gravação.';
      if (f.recording === 'requested')
        return f.consent
          ? 'O cliente concordou com a gravação.'
          : `${somebody(f.agent)} pediu para gravar a chamada.`;
      return f.recording === 'on' ? 'A gravação começou.' : 'A gravação parou.';
    },
    callback_requested: () => 'O cliente pediu para ser chamado de volta e mantém o lugar na fila.',
    callback_invited: (f) =>
      `O cliente foi convidado a voltar${f.until ? ` até ${f.until}` : ''}${f.count ? ` (convite ${f.count})` : ''}.`,
    callback_returned: () => 'O cliente voltou depois do convite.',
    callback_expired: () => 'O cliente não voltou depois do convite.',
    callback_cancelled: () => 'O retorno foi cancelado.',
    completed: (f) => {
      if (f.reason !== 'disconnect') return 'A chamada terminou normalmente.';
      if (f.dropped.length === 2) return 'A chamada caiu porque os dois lados perderam a conexão.';
      const [who] = f.dropped;
      return who
        ? `A chamada caiu: ${side(who)} perdeu a conexão e não voltou a tempo.`
        : 'A chamada caiu: a conexão foi perdida e não voltou a tempo.';
    },
    missed: () => 'A chamada foi perdida: nenhum atendente a iniciou a tempo.',
    cancelled: () =>
      'A chamada foi cancelada antes de começar: o cliente saiu ou o departamento foi excluído.',
    abandoned: () =>
      'A espera terminou sem atendente: o cliente ficou ausente demais, o tempo máximo de espera acabou ou o departamento fechou.',
    rated: (f) => `O cliente avaliou a chamada com ${f.rating} de 5${rated(f.rated_by)}.`,
  },
};

export default pt;
