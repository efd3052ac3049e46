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

/** Hashes and checks passwords outside the event loop, a few at a time, with a bounded queue. */
export interface PasswordHasher {
  /** Returns PHC text with its parameters. @throws `sign_in_busy` if too many are waiting. */
  hash(password: string): Promise<string>
  /**
   * Whether the password is right. Without a hash (no such account, no local password) it takes as
   * long as a check and is false.
   * @throws `sign_in_busy` if too many are waiting.
   */
  verify(passwordHash: string | null | undefined, password: string): Promise<boolean>
  /** Whether the hash has another cost than the current one. */
  needsRehash(passwordHash: string): boolean
}

/**
 * Each hash takes `memoryCost` KiB, a thread of the process's pool and `parallelism` threads of its
 * own. So only as many run at once as keep the processors busy, at most four: more would take
 * memory and save no time. The other threads remain for files.
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

/**
 * A hash at this cost that no password matches. Checking against it takes as long as a real check.
 */
function unmatchableHash({ memoryCost, timeCost, parallelism }: PasswordCost): string {
  const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${encode(new Uint8Array(16))}$${encode(new Uint8Array(32))}`
}
