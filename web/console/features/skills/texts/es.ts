import type { SkillTexts } from './en';

const es: SkillTexts = {
  title: 'Habilidades',
  intro: 'Un enlace puede exigir habilidades. Sus llamadas se ofrecen a agentes que las tienen.',
  empty: 'Todavía no hay habilidades. Los idiomas y los productos son buenos ejemplos.',
  name: 'Nombre',
  since: 'Creada',
  create: 'Habilidad nueva',
  edit: (name) => `Habilidad ${name}`,
  deleteQuestion: (name) =>
    `La habilidad ${name} se quitará de todos los agentes. No se puede deshacer. Una habilidad que exige un enlace activo no se puede eliminar.`,
};

export default es;
