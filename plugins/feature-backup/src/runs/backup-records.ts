import type { BackupProof } from '@agent-service/sdk/services/backups'
import { defineCollection } from '@agent-service/sdk/services/database'

/** What was the outcome of a run. */
export type RunState = 'running' | 'succeeded' | 'failed' | 'cancelled'

/** One making of a backup. */
export type BackupRun = {
  /** Of the backup too. */
  readonly id: string
  readonly trigger: 'request' | 'schedule'
  readonly state: RunState
  readonly started_at: string
  readonly ended_at: string | null
  /** Null unless it succeeded. */
  readonly bytes: number | null
  /** Why it failed, for people. */
  readonly error: string | null
}

/** What was last found out about a backup. Lost records only mean that it counts as unverified. */
export type Verification = {
  readonly id: string
  readonly verified_at: string
  readonly sound: boolean
  readonly problem: string | null
  /** What is known of its origin; null if it was verified before that was looked at, or is not sound. */
  readonly proof: BackupProof | null
  readonly documents: number
  readonly references: number
  readonly missing: number
}

export const runCollection = defineCollection<BackupRun>()({
  name: 'backups.runs',
  version: 1,
  indexes: { by_start: { fields: ['started_at', 'id'] } },
})

export const verificationCollection = defineCollection<Verification>()({
  name: 'backups.verifications',
  version: 2,
  indexes: {},
  migrations: [
    {
      to: 2,
      description: 'Verifications say whether the origin of a backup is proven.',
      migrate: (verification) => ({ ...verification, proof: null }),
    },
  ],
})

/**
 * Whether a backup may count as one to go back to: old ones are deleted for it, and its age is
 * watched. One of unknown origin does not. Where the service itself has the built-in secret, no proof
 * is worth more, and what was verified before proofs were looked at stays what it was.
 */
export const isGood = (verification: Verification | undefined): boolean =>
  verification?.sound === true && verification.proof !== 'absent' && verification.proof !== 'other_secret'
