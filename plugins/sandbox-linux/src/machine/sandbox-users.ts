/** The user that a principal's processes run as. */
export interface SandboxUser {
  readonly uid: number
  readonly gid: number
}

/** Users that no account of the system has by convention; systemd and distributions keep off them. */
const firstUid = 700_000_000
const maxUsers = 100_000_000

/**
 * A user of its own for each principal, if the service may change users; else `undefined`: its own.
 * The same for a principal each time, since its files belong to it.
 */
export function createSandboxUsers(options: { readonly mayChange: boolean; readonly numberOf: (principal: string) => Promise<number> }) {
  return async (principal: string): Promise<SandboxUser | undefined> => {
    if (!options.mayChange) return undefined
    const uid = firstUid + ((await options.numberOf(principal)) % maxUsers)
    return { uid, gid: uid }
  }
}
