/** The user that a principal's processes run as. */
export interface SandboxUser {
  readonly uid: number
  readonly gid: number
}

/** The users of principals. */
export interface SandboxUsers {
  /** The same for a principal each time, and for no other one, ever. `undefined`: the service's own. */
  userOf(principal: string): Promise<SandboxUser | undefined>
  /** The principal whose user has this number. */
  ownerOf(uid: number): Promise<string | undefined>
  /** Forgets a principal. Its number is not given again: files may be left that have it. */
  forget(principal: string): Promise<void>
}

/** What a driver is given: without the rest, no principal is known and none is forgotten. */
export type GivenUsers = Pick<SandboxUsers, 'userOf'> & Partial<Omit<SandboxUsers, 'userOf'>>

/** Numbers of users. */
export interface UserRange {
  readonly first: number
  readonly count: number
}

/**
 * Beyond what accounts, subordinate users (subuid), containers of systemd and directories (sssd,
 * FreeIPA) take; below what programs with signed numbers cannot hold.
 */
export const wholeRange: UserRange = { first: 2_100_000_000, count: 47_000_000 }

/** In a container whose user namespace has 65,536 numbers: above its accounts, below `nobody`. */
export const containerRange: UserRange = { first: 30_000, count: 29_999 }

/** The numbers that this machine or container has; `uidMap` is `/proc/self/uid_map`. */
export function rangeOf(uidMap: string): UserRange | undefined {
  const mapped = uidMap
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const has = ({ first, count }: UserRange): boolean =>
    mapped.some(([inside = 0, , length = 0]) => inside <= first && first + count <= inside + length)
  return [wholeRange, containerRange].find(has)
}
