import { availableParallelism } from 'node:os'
import type { Clock } from '@agent-service/sdk/services/clock'
import { argon2id, hash, needsRehash, verify } from 'argon2'
import { createWorkGate } from './work-gate.js'

/** The cost of one argon2id hash. */
export interface PasswordCost {
  /** In KiB. */
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** RFC 9106, second recommended choice. */
export const defaultPasswordCost: PasswordCost = { memoryCost: 65_536, timeCost: 3, parallelism: 4 }

/** Hashes and checks passwords beside the event loop, a few at a time, with a bounded number that wait. */
export interface PasswordHasher {
  /** PHC text with its parameters. @throws `sign_in_busy` when too many wait. */
  hash(password: string): Promise<string>
  /**
   * Whether the password fits. Without a hash (no such account, no local password) it takes as long as a check and is false.
   * @throws `sign_in_busy` when too many wait.
   */
  verify(passwordHash: string | null | undefined, password: string): Promise<boolean>
  /** Whether the hash was made at another cost than the one in effect. */
  needsRehash(passwordHash: string): boolean
}

/**
 * Makes a hasher. Each hash takes `memoryCost` KiB, a thread of the process's pool and `parallelism` threads of its own, so only as many run at once as
 * keep the processors busy, four at most: more would take their memory and no less time. File work goes on in the threads that are left.
 */
export function createPasswordHasher(options: {
  readonly clock: Clock
  readonly cost?: PasswordCost
  readonly concurrency?: number
  readonly waiting?: number
}): PasswordHasher {
  const cost = options.cost ?? defaultPasswordCost
  const gate = createWorkGate({
    clock: options.clock,
    concurrency: options.concurrency ?? Math.min(4, Math.ceil(availableParallelism() / cost.parallelism)),
    waiting: options.waiting ?? 64,
    maxWaitMs: 10_000,
  })
  const absent = unmatchableHash(cost)
  return {
    hash: (password) => gate.run(() => hash(password, { type: argon2id, ...cost })),
    verify: (passwordHash, password) =>
      gate.run(async () => {
        const matches = await verify(passwordHash ?? absent, password)
        return matches && passwordHash !== null && passwordHash !== undefined
      }),
    needsRehash: (passwordHash) => needsRehash(passwordHash, { ...cost }),
  }
}

/** A hash at this cost that was made from no password. Checking against it takes the time of a real check. */
function unmatchableHash({ memoryCost, timeCost, parallelism }: PasswordCost): string {
  const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${encode(new Uint8Array(16))}$${encode(new Uint8Array(32))}`
}
