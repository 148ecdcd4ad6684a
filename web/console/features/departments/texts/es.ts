import type { DepartmentTexts } from './en';
import fields from './fields-es';
import hours from './hours-es';

const es: DepartmentTexts = {
  title: 'Departamentos',
  one: 'Departamento',
  back: 'Todos los departamentos',
  empty: 'Todavía no hay departamentos. Los clientes esperan en la cola de un departamento.',
  create: 'Departamento nuevo',
  createSubmit: 'Crear',
  createText: 'Todo lo demás empieza con valores habituales y se ajusta en la página siguiente.',
  deleteQuestion: (name) =>
    `${name} se eliminará: sus enlaces dejan de funcionar, y las llamadas en espera y las citas se cancelan. No se puede deshacer.`,
  deleted: (name) => `${name} se eliminó.`,
  state: 'Estado',
  active: 'Activo',
  inactive: 'Inactivo',
  numberMissing: 'Escriba un número.',
  never: 'Nunca',
  noOverflow: 'Ninguno',
  tabs: { general: 'General', hours: 'Horario', members: 'Miembros' },
  routing: { manual: 'Los agentes eligen las llamadas', automatic: 'Las llamadas se ofrecen a los agentes' },
  selection: {
    longest_idle: 'Quien lleva más tiempo libre',
    most_skilled: 'Quien tiene los niveles de habilidad más altos',
    fewest_today: 'Quien ha iniciado menos llamadas hoy',
  },
  units: { calls: 'llamadas', times: 'veces' },
  groups: {
    about: 'Información',
    queue: 'Cola',
    routing: 'Distribución de las llamadas',
    overflow: 'Desbordamiento',
    overflowText: 'Otro departamento ayuda cuando los clientes esperan mucho.',
    callbacks: 'Devolución de llamada',
    callbacksText: 'Los clientes pueden dejar la página y se les avisa cuando un agente tiene tiempo.',
  },
  members: {
    title: 'Miembros',
    text: 'Atienden las llamadas de este departamento.',
    empty: 'Nadie todavía. Sin miembros nadie atiende.',
    add: 'Añadir un usuario',
    search: 'Nombre o correo',
    nobody: 'No se encontró a nadie',
    submit: 'Añadir',
    remove: 'Quitar',
    removeQuestion: (name) => `A ${name} ya no se le ofrecerán llamadas de este departamento.`,
  },
  fields,
  hours,
};

export default es;
