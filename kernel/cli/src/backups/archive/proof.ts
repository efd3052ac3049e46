import { createHmac, timingSafeEqual } from 'node:crypto'
import { developmentEncryptionSecret } from '@agent-service/kernel-core/config'
import { createWrapping, deriveKey } from '@agent-service/kernel-core/secrets'
import type { BackupProof } from '@agent-service/sdk/services/backups'
import { type BackupHeader, provenFormat } from './layout.js'
import type { ArchiveEnd } from './tar-blocks.js'

/** The id under which the check text of a backup is encrypted. */
export const secretCheckId = 'backup-check'

/** What is known about where a backup comes from. */
export interface Origin {
  readonly proof: BackupProof
  /** The backup was made under the encryption secret in use, as far as its head says. */
  readonly secretFits: boolean
}

/**
 * The proof of origin: HMAC-SHA-256 over the digest of everything before the end (heads, contents,
 * manifest and summary, in their order), under a key that is derived from the encryption secret for
 * this alone.
 */
export const proofOf = (encryptionSecret: string, { sha256, summaryAt }: Pick<ArchiveEnd, 'sha256' | 'summaryAt'>): string =>
  createHmac('sha256', deriveKey(encryptionSecret, 'backup proof of origin'))
    .update(JSON.stringify(['agent-service backup', 1, sha256, summaryAt]))
    .digest('hex')

/**
 * Judges a backup whose digest was found right. Undefined if it was changed after it was made: it
 * names the secret in use, but its proof does not fit, or was taken out.
 */
export function originOf(header: BackupHeader, end: ArchiveEnd, encryptionSecret: string): Origin | undefined {
  const secretFits = opensCheck(header, encryptionSecret)
  if (header.format < provenFormat) return end.proof === undefined ? { proof: 'absent', secretFits } : undefined
  if (end.proof === undefined) return undefined
  if (isSame(end.proof, proofOf(encryptionSecret, end)))
    return { proof: encryptionSecret === developmentEncryptionSecret ? 'public_secret' : 'proven', secretFits: true }
  return secretFits ? undefined : { proof: 'other_secret', secretFits }
}

function opensCheck({ secret_check: check }: BackupHeader, encryptionSecret: string): boolean {
  try {
    createWrapping(encryptionSecret).unwrap(secretCheckId, check)
    return true
  } catch {
    // It says only that the secret is another one.
    return false
  }
}

/** Takes the same time wherever two digests differ. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'))
