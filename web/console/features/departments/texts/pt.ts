import type { DepartmentTexts } from './en';
import fields from './fields-pt';
import hours from './hours-pt';

const pt: DepartmentTexts = {
  title: 'Departamentos',
  one: 'Departamento',
  back: 'Todos os departamentos',
  empty: 'Ainda não há departamentos. Os clientes esperam na fila de um departamento.',
  create: 'Novo departamento',
  createSubmit: 'Criar',
  createText: 'Todo o resto começa com valores comuns e é definido na página seguinte.',
  deleteQuestion: (name) =>
    `${name} será excluído: seus links deixam de funcionar, chamadas em espera e agendamentos são cancelados. Isso não pode ser desfeito.`,
  deleted: (name) => `${name} foi excluído.`,
  state: 'Situação',
  active: 'Ativo',
  inactive: 'Inativo',
  numberMissing: 'Digite um número.',
  never: 'Nunca',
  noOverflow: 'Nenhum',
  tabs: { general: 'Geral', hours: 'Horários', members: 'Membros' },
  routing: { manual: 'Atendentes escolhem as chamadas', automatic: 'Chamadas são oferecidas aos atendentes' },
  selection: {
    longest_idle: 'Quem está livre há mais tempo',
    most_skilled: 'Quem tem os maiores níveis de habilidade',
    fewest_today: 'Quem iniciou menos chamadas hoje',
  },
  units: { calls: 'chamadas', times: 'vezes' },
  groups: {
    about: 'Sobre',
    queue: 'Fila',
    routing: 'Distribuição das chamadas',
    overflow: 'Transbordo',
    overflowText: 'Outro departamento ajuda quando os clientes esperam muito.',
    callbacks: 'Retornos',
    callbacksText: 'Os clientes podem sair da página e são chamados de volta quando um atendente tem tempo.',
  },
  members: {
    title: 'Membros',
    text: 'Eles atendem as chamadas deste departamento.',
    empty: 'Ninguém ainda. Sem membros, ninguém atende.',
    add: 'Adicionar um usuário',
    search: 'Nome ou e-mail',
    nobody: 'Ninguém encontrado',
    submit: 'Adicionar',
    remove: 'Remover',
    removeQuestion: (name) => `${name} não receberá mais chamadas deste departamento.`,
  },
  fields,
  hours,
};

export default pt;
