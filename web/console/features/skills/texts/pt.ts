import type { SkillTexts } from './en';

const pt: SkillTexts = {
  title: 'Habilidades',
  intro: 'Um link pode exigir habilidades. Suas chamadas são oferecidas a atendentes que as têm.',
  empty: 'Ainda não há habilidades. Idiomas e produtos são bons exemplos.',
  name: 'Nome',
  since: 'Criada em',
  create: 'Nova habilidade',
  edit: (name) => `Habilidade ${name}`,
  deleteQuestion: (name) =>
    `A habilidade ${name} será removida de todos os atendentes. Isso não pode ser desfeito. Uma habilidade exigida por um link ativo não pode ser excluída.`,
};

export default pt;
