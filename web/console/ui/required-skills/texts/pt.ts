import type { RequiredSkillTexts } from './en';

const pt: RequiredSkillTexts = {
  priority: 'Prioridade',
  priorityHint: 'De 0 a 9. Clientes com prioridade maior esperam menos.',
  skills: 'Habilidades que o atendente precisa ter',
  noSkills: 'Nenhuma: qualquer atendente do departamento',
  skill: (n) => `Habilidade ${n}`,
  minLevel: (n) => `Nível mínimo da habilidade ${n}`,
  removeSkill: (n) => `Remover a habilidade ${n}`,
  addSkill: 'Adicionar habilidade',
};

export default pt;
