/** @param path of the router. @returns whether it is the page with the line and the agent's call */
export const isWorkplace = (path: string): boolean => /^\/(console\/?)?$/.test(path);
