import type { RequiredSkillTexts } from './en';

const es: RequiredSkillTexts = {
  priority: 'Prioridad',
  priorityHint: 'De 0 a 9. Los clientes con mayor prioridad esperan menos.',
  skills: 'Habilidades que necesita el agente',
  noSkills: 'Ninguna: cualquier agente del departamento',
  skill: (n) => `Habilidad ${n}`,
  minLevel: (n) => `Nivel mínimo de la habilidad ${n}`,
  removeSkill: (n) => `Quitar la habilidad ${n}`,
  addSkill: 'Añadir una habilidad',
};

export default es;
