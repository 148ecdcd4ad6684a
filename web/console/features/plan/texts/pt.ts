import type { PlanTexts } from './en';

const pt: PlanTexts = {
  title: 'Plano',
  period: (period) => `Período atual: ${period}`,
  plans: {
    free: 'Gratuito',
    basic: 'Básico',
    advanced: 'Avançado',
    professional: 'Profissional',
    enterprise: 'Empresarial',
  },
  statuses: {
    pending: 'Aguardando pagamento',
    active: 'Ativo',
    past_due: 'Pagamento em atraso',
    cancelled: 'Cancelado',
  },
  statusTexts: {
    pending: 'Até o pagamento chegar, valem os limites do plano gratuito.',
    past_due: 'Há um pagamento em atraso. Valem agora os limites ao lado.',
    cancelled: 'O plano foi cancelado. Valem agora os limites ao lado.',
  },
  features: { recording: 'Gravação', transcription: 'Transcrição', analytics: 'Relatórios detalhados' },
  usage: 'Limites e uso',
  users: 'Usuários ativos',
  departments: 'Departamentos ativos',
  links: 'Links ativos',
  storage: 'Armazenamento de gravações e arquivos',
  concurrentCalls: 'Chamadas ao mesmo tempo, no máximo',
  webhooks: 'Webhooks, no máximo',
  calls: 'Chamadas neste mês',
  unlimited: 'ilimitado',
  of: (used, limit) => `${used} de ${limit}`,
  full: 'O limite foi atingido.',
};

export default pt;
