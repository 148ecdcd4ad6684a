import type { DepartmentTexts } from './en';

const fields: DepartmentTexts['fields'] = {
  name: { label: 'Nome' },
  identifier: { label: 'Identificador', help: 'Para outros sistemas: a-z, 0-9, _ e -' },
  description: { label: 'Descrição' },
  active: {
    label: 'Ativo',
    help: 'Links para um departamento inativo não funcionam; quem já espera continua na fila.',
  },
  max_queue_size: {
    label: 'Lugares na fila',
    help: 'Quando todos estão ocupados, ninguém mais pode entrar.',
  },
  max_wait_time: {
    label: 'Espera máxima',
    help: 'Depois disso, a chamada em espera é abandonada. Quem já espera mantém o limite com que entrou.',
  },
  priority_step: {
    label: 'Valor de um ponto de prioridade',
    help: 'Uma chamada com um ponto fica na fila como se tivesse esperado esse tempo a mais.',
  },
  max_unanswered: {
    label: 'Atribuições sem resposta',
    help: 'Depois desse número, a chamada conta como perdida.',
  },
  routing: {
    label: 'Distribuição',
    help: 'Se os atendentes escolhem na fila ou se o serviço escolhe por eles.',
  },
  agent_selection: { label: 'Seleção', help: 'A qual atendente disponível a chamada é oferecida.' },
  offer_timeout: {
    label: 'Tempo para responder a uma oferta',
    help: 'Depois, a chamada é oferecida a outra pessoa.',
  },
  wrap_up_time: { label: 'Pós-atendimento', help: 'Tempo depois de uma chamada até a próxima oferta.' },
  preferred_agent_wait: {
    label: 'Espera pelo atendente reservado',
    help: 'Por esse tempo, uma chamada reservada para um atendente fica guardada para ele.',
  },
  skill_relax_after: {
    label: 'Habilidades são exigidas por',
    help: 'Depois dessa espera, qualquer membro pode atender. Vazio: nunca.',
  },
  overflow_department_id: { label: 'Departamento de transbordo', help: 'Seus membros ajudam.' },
  overflow_after: { label: 'Transbordo depois de', help: 'Uma espera desse tempo. Vazio: nunca.' },
  callback_enabled: { label: 'Clientes podem pedir um retorno' },
  callback_attempts: { label: 'Convites', help: 'Depois desse número sem resposta, a chamada termina.' },
  callback_window: { label: 'Tempo para voltar', help: 'Depois de um convite.' },
};

export default fields;
