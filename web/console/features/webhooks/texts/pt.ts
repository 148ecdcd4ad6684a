import { plural } from '../../../../shared/texts/plural';
import type { WebhookTexts } from './en';
import events from './events-pt';

const pt: WebhookTexts = {
  title: 'Webhooks',
  one: 'Webhook',
  help: 'O serviço envia eventos a outros programas da empresa, por exemplo a um CRM.',
  empty: 'Ainda não há webhooks.',
  create: 'Novo webhook',
  url: 'Endereço',
  urlHelp: 'Um endereço https na internet que aceita requisições POST.',
  state: 'Estado',
  events: 'Eventos',
  createdAt: 'Criado em',
  active: 'Enviar entregas',
  ...events,
  states: {
    active: 'Ativo',
    failing: 'Ativo, mas falhando',
    inactive: 'Inativo',
    disabled_failing: 'Desativado: falhas',
    disabled_gone: 'Desativado: não desejado',
    disabled_backlog: 'Desativado: pendências demais',
  },
  reasons: {
    failing: (since) =>
      `As entregas falham desde ${since}. Elas são repetidas; depois de três dias sem sucesso o webhook é desativado. As tentativas abaixo mostram o motivo.`,
    inactive: () =>
      'Um gerente desativou este webhook. Eventos que acontecem enquanto isso não serão enviados depois.',
    disabled_failing: (since) =>
      `O serviço desativou este webhook em ${since}, porque nenhuma entrega teve sucesso em três dias. Corrija o receptor, ative o webhook e envie de novo as entregas que falharam.`,
    disabled_gone: (since) =>
      `O serviço desativou este webhook em ${since}, porque o receptor respondeu que não quer mais entregas (HTTP 410).`,
    disabled_backlog: (since) =>
      `O serviço desativou este webhook em ${since}, porque o receptor aceita as entregas devagar demais e havia muitas pendentes. Torne o receptor mais rápido, ative o webhook e envie de novo as entregas que falharam. Eventos que acontecem enquanto isso não serão enviados depois.`,
  },
  activate: 'Ativar',
  secret: 'Segredo do webhook',
  secretOnce:
    'Copie o segredo agora: ele não será mostrado de novo. Com ele o receptor verifica que as entregas vêm daqui.',
  secretKept: 'Já guardei',
  rotate: 'Novo segredo',
  rotateQuestion:
    'O webhook recebe um novo segredo, mostrado uma única vez. O atual continua válido por um dia.',
  deleteQuestion: (url) =>
    `O webhook para ${url} e suas entregas serão excluídos. Isso não pode ser desfeito.`,
  deleted: 'O webhook foi excluído.',
  test: 'Enviar teste',
  testEvent: 'Teste',
  deliveries: 'Entregas',
  delivery: 'Entrega',
  noDeliveries: 'Não há entregas assim. Um teste envia uma na hora.',
  time: 'Horário',
  event: 'Evento',
  attempts: 'Tentativas',
  noAttempts: 'Nada foi enviado ainda.',
  underWay: 'ainda sem resposta',
  result: 'Resultado',
  response: 'Resposta do receptor',
  payload: 'O que é enviado',
  statuses: { pending: 'Em andamento', delivered: 'Entregue', failed: 'Falhou' },
  nextAttempt: (time) => `próxima tentativa: ${time}`,
  redeliver: 'Enviar de novo',
  redelivering: 'A entrega está sendo enviada de novo.',
  replay: 'Reenviar um período',
  replayStart: 'Reenviar',
  replayHelp:
    'Envia mais uma vez as entregas de um período, com os mesmos ids: o receptor reconhece as que já tem.',
  from: 'De',
  to: 'Até',
  toHelp: (zone) => `Vazio: até agora. Fuso horário: ${zone}`,
  which: 'Quais entregas',
  fromMissing: 'Escolha o início do período.',
  reversed: 'O fim não pode ser anterior ao início.',
  replaying: (n) =>
    n === 0
      ? 'Não havia entregas assim neste período.'
      : plural(n, '1 entrega é enviada de novo.', `${n} entregas são enviadas de novo.`),
};

export default pt;
