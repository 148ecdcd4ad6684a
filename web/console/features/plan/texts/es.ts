import type { PlanTexts } from './en';

const es: PlanTexts = {
  title: 'Plan',
  period: (period) => `Período actual: ${period}`,
  plans: {
    free: 'Gratuito',
    basic: 'Básico',
    advanced: 'Avanzado',
    professional: 'Profesional',
    enterprise: 'Empresarial',
  },
  statuses: {
    pending: 'Pago pendiente',
    active: 'Activo',
    past_due: 'Pago atrasado',
    cancelled: 'Cancelado',
  },
  statusTexts: {
    pending: 'Hasta que llegue el pago rigen los límites del plan gratuito.',
    past_due: 'Hay un pago atrasado. Ahora rigen los límites de al lado.',
    cancelled: 'El plan fue cancelado. Ahora rigen los límites de al lado.',
  },
  features: { recording: 'Grabación', transcription: 'Transcripción', analytics: 'Informes detallados' },
  usage: 'Límites y uso',
  users: 'Usuarios activos',
  departments: 'Departamentos activos',
  links: 'Enlaces activos',
  storage: 'Almacenamiento de grabaciones y archivos',
  concurrentCalls: 'Llamadas al mismo tiempo, como máximo',
  webhooks: 'Webhooks, como máximo',
  calls: 'Llamadas de este mes',
  unlimited: 'ilimitado',
  of: (used, limit) => `${used} de ${limit}`,
  full: 'Se alcanzó el límite.',
};

export default es;
