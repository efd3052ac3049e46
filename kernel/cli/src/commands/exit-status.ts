/**
 * The exit status of a command: done, failed, wrong usage, or an invalid configuration (EX_CONFIG).
 */
export const exitStatus = { done: 0, failed: 1, usage: 2, configuration: 78 } as const
