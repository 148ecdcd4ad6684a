/** The role of all applications on the shared server of the specs. The template database is prepared for it. */
export const SERVICE_ROLE = 'video_queue_app';

/** Adds the role to the variables of a process that uses a database of the shared server. */
export function withServiceRole(variables: Record<string, string>): Record<string, string> {
  return { ...('DATABASE_URL' in variables && { DATABASE_ROLE: SERVICE_ROLE }), ...variables };
}
