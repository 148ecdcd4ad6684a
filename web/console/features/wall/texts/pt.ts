import { plural } from '../../../../shared/texts/plural';
import type { WallTexts } from './en';

const pt: WallTexts = {
  title: 'Painel ao vivo',
  fullScreen: 'Tela cheia',
  leaveFullScreen: 'Sair da tela cheia',
  stale: (time) => `Sem notícias do serviço desde ${time}. Os números abaixo são antigos.`,
  noLines: 'Ainda não há departamentos.',
  totals: {
    label: 'Hoje',
    waiting: 'Esperando agora',
    inCall: 'Em chamada agora',
    offered: 'Chamadas hoje',
    answered: 'Atendidas',
    abandoned: 'Abandonadas ou perdidas',
    serviceLevel: (target) => `Atendidas em até ${target}`,
    averageWait: 'Espera média',
  },
  line: {
    closed: 'Fechado',
    closedUntil: (time) => `Fechado até ${time}`,
    waiting: () => 'na fila',
    longest: 'Maior espera',
    serviceLevel: (target) => `Em até ${target} hoje`,
    members: (available, all) => `${available} de ${all} atendentes disponíveis`,
    more: (n) => plural(n, 'e mais 1', `e mais ${n}`),
    absent: 'desconectado',
    callback: 'será chamado de volta',
  },
  noCalls: '–',
  alerts: {
    nobody_available: 'Ninguém disponível',
    over_target: (target) => `Espera acima de ${target}`,
    longest_wait: 'Alerta: espera longa demais',
  },
  agents: {
    title: 'Atendentes',
    all: 'Todos',
    search: 'Procurar um atendente',
    none: 'Nenhum atendente corresponde.',
    columns: { name: 'Atendente', state: 'Estado', since: 'Há', call: 'Chamada', actions: 'Alterar' },
    openCall: 'Abrir a chamada',
    openCallOf: (name) => `Abrir a chamada de ${name}`,
    change: (name) => `Alterar o estado de ${name}`,
    makeAvailable: 'Tornar disponível',
    pause: 'Colocar em pausa',
    pauseFor: (reason) => `Pausa: ${reason}`,
    handOver: 'Transferir a chamada',
    changed: (name) => `O estado de ${name} foi alterado.`,
    changesLater: (name) => `O estado de ${name} muda depois da chamada e do pós-atendimento.`,
    reserved: 'A chamada ainda não começou: abra-a para atribuí-la a outra pessoa.',
    paused: (state, reason) => `${state}: ${reason}`,
  },
};

export default pt;
