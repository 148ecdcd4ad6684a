import type { RecordingTexts } from './en';

const pt: RecordingTexts = {
  title: 'Gravação',
  which: 'Qual gravação',
  nth: (n, at) => `Gravação ${n}, ${at}`,
  play: 'Reproduzir a gravação',
  player: 'Gravação da chamada',
  download: 'Baixar a gravação',
  remove: 'Excluir a gravação',
  removeQuestion: 'A gravação e sua transcrição serão excluídas definitivamente. Isso não pode ser desfeito.',
  removed: 'A gravação foi excluída.',
  transcript: 'Transcrição',
  summary: 'Resumo',
  silent: 'Ninguém fala nesta gravação.',
  speaker: (name) => `Pessoa ${name}`,
  bySoftware: (model) => `Escrito por software (${model}). Pode conter erros.`,
  noPlan: {
    transcript: 'Seu plano não inclui transcrições.',
    summary: 'Seu plano não inclui resumos.',
  },
  none: {
    transcript: 'Não há transcrição desta gravação.',
    summary: 'Não há resumo desta gravação.',
  },
  pending: {
    transcript: 'A transcrição está sendo escrita…',
    summary: 'O resumo está sendo escrito…',
  },
  failed: {
    transcript: 'Não foi possível escrever a transcrição.',
    summary: 'Não foi possível escrever o resumo.',
  },
  retry: 'Solicitar de novo',
  requested: 'A solicitação foi feita; o texto aparecerá aqui.',
  nothingToRetry: 'Não há o que solicitar: este serviço não escreve transcrições no momento.',
};

export default pt;
