import { plural } from '../../../../shared/texts/plural';
import type { HandOverTexts } from './en';

const es: HandOverTexts = {
  title: 'Transferir la llamada',
  submit: 'Transferir',
  to: 'A',
  toDepartment: 'Un departamento',
  toAgent: 'Un agente',
  departmentHint: 'El cliente espera allí, delante de quienes entren después.',
  agentHint: 'La llamada sigue con su agente hasta que el otro la acepte.',
  department: 'Departamento',
  agent: 'Agente',
  choose: 'Elija una opción',
  nobody: 'Ningún otro agente está disponible ahora.',
  waiting: (n: number) => plural(n, '1 en espera', `${n} en espera`),
  closed: (until: string) => (until ? `cerrado hasta ${until}` : 'cerrado'),
  full: (n: number) => `cola llena, ${n} en espera`,
  note: 'Nota para el siguiente agente',
  moved: (name) => `El cliente espera ahora en ${name}.`,
  asked: (name) => `Se está ofreciendo la llamada a ${name}.`,
  ended: {
    declined: (name) => `${name} ha rechazado la llamada. Se queda donde está.`,
    expired: (name) => `${name} no ha respondido. La llamada se queda donde está.`,
    withdrawn: (name) => `No se pudo transferir la llamada a ${name}.`,
  },
};

export default es;
