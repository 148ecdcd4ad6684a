import type { DepartmentTexts } from './en';

const fields: DepartmentTexts['fields'] = {
  name: { label: 'Nombre' },
  identifier: { label: 'Identificador', help: 'Para otros sistemas: a-z, 0-9, _ y -' },
  description: { label: 'Descripción' },
  active: {
    label: 'Activo',
    help: 'Los enlaces a un departamento inactivo no funcionan; quien ya espera sigue en la cola.',
  },
  max_queue_size: {
    label: 'Lugares en la cola',
    help: 'Cuando todos están ocupados, nadie más puede entrar.',
  },
  max_wait_time: {
    label: 'Espera máxima',
    help: 'Después la llamada en espera se abandona. Quien ya espera conserva el límite con el que entró.',
  },
  priority_step: {
    label: 'Valor de un punto de prioridad',
    help: 'Una llamada con un punto está en la cola como si hubiera esperado este tiempo de más.',
  },
  max_unanswered: {
    label: 'Asignaciones sin respuesta',
    help: 'Después de este número la llamada cuenta como perdida.',
  },
  routing: {
    label: 'Distribución',
    help: 'Si los agentes eligen en la cola o si el servicio elige por ellos.',
  },
  agent_selection: { label: 'Selección', help: 'A qué agente disponible se ofrece una llamada.' },
  offer_timeout: { label: 'Tiempo para responder a una oferta', help: 'Después se ofrece a otra persona.' },
  wrap_up_time: { label: 'Trabajo posterior', help: 'Tiempo tras una llamada hasta la siguiente oferta.' },
  preferred_agent_wait: {
    label: 'Espera por el agente reservado',
    help: 'Durante este tiempo, una llamada reservada para un agente se guarda para él.',
  },
  skill_relax_after: {
    label: 'Las habilidades se exigen durante',
    help: 'Tras esta espera puede atender cualquier miembro. Vacío: nunca.',
  },
  overflow_department_id: { label: 'Departamento de desbordamiento', help: 'Sus miembros ayudan.' },
  overflow_after: { label: 'Desbordamiento tras', help: 'Una espera de este tiempo. Vacío: nunca.' },
  callback_enabled: { label: 'Los clientes pueden pedir que se les avise' },
  callback_attempts: { label: 'Avisos', help: 'Después de este número sin respuesta la llamada termina.' },
  callback_window: { label: 'Tiempo para volver', help: 'Después de un aviso.' },
};

export default fields;
