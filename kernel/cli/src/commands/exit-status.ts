/** How the command ends: done, failed, called wrongly, or stopped by the configuration (EX_CONFIG). */
export const exitStatus = { done: 0, failed: 1, usage: 2, configuration: 78 } as const
