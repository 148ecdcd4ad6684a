import { plural } from '../../../../shared/texts/plural';
import type { HandOverTexts } from './en';

const pt: HandOverTexts = {
  title: 'Transferir a chamada',
  submit: 'Transferir',
  to: 'Para',
  toDepartment: 'Um departamento',
  toAgent: 'Um atendente',
  departmentHint: 'O cliente espera lá, na frente de quem entrar depois.',
  agentHint: 'A chamada fica com o atendente atual até o outro aceitar.',
  department: 'Departamento',
  agent: 'Atendente',
  choose: 'Escolha uma opção',
  nobody: 'Nenhum outro atendente está disponível agora.',
  waiting: (n: number) => plural(n, '1 na fila', `${n} na fila`),
  closed: (until: string) => (until ? `fechado até ${until}` : 'fechado'),
  full: (n: number) => `fila cheia, ${n} esperando`,
  note: 'Observação para o próximo atendente',
  moved: (name) => `O cliente agora espera em ${name}.`,
  asked: (name) => `A chamada está sendo oferecida a ${name}.`,
  ended: {
    declined: (name) => `${name} recusou a chamada. Ela fica onde está.`,
    expired: (name) => `${name} não respondeu. A chamada fica onde está.`,
    withdrawn: (name) => `Não foi possível transferir a chamada para ${name}.`,
  },
};

export default pt;
