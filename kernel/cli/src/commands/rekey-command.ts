import { newEncryptionSecretVariable } from '@agent-service/kernel-core/config'
import { askSecret } from '../terminal/terminal.js'
import type { Outcome } from './command-action.js'
import { newSecretRefusedError } from './errors.js'
import type { Invocation } from './invocation.js'
import { withServiceData } from './service-data.js'

const variable = newEncryptionSecretVariable
const minLength = 16

/**
 * Encrypts the database's keys with another secret, all in one write: when it is interrupted, the
 * database belongs either to the old secret or to the new one.
 */
export async function rekey(invocation: Invocation): Promise<Outcome> {
  const { terminal, environment } = invocation
  const instead = `Set ${variable}, or write it to standard input.`
  const secret = environment[variable] ?? (await askSecret(terminal, 'New encryption secret:', { instead }))
  if (secret.length < minLength)
    throw newSecretRefusedError.create({ reason: `has ${secret.length} characters; at least ${minLength} are needed` })
  return withServiceData(invocation, async ({ prepared, services }) => {
    if (secret === prepared.configuration.auth.encryption_secret) throw newSecretRefusedError.create({ reason: 'is the one in use' })
    const keys = await services.rekey(secret)
    return {
      json: { keys },
      lines: [
        `Encrypted ${keys === 1 ? 'the key' : `all ${keys} keys`} of the database with the new secret.`,
        `Before the next start, set auth.encryption_secret (SERVICE_AUTH_ENCRYPTION_SECRET) to the new secret: ${sourceOf(prepared.configuration)}.`,
        'Earlier backups need the old secret; keep it as long as you keep them.',
      ],
    }
  })
}

/** Where the secret is set now. */
function sourceOf(configuration: { sourceOf(path: string): string | undefined; readonly file: { readonly path: string } }): string {
  const source = configuration.sourceOf('auth.encryption_secret')
  if (source === 'file') return `it is in ${configuration.file.path}`
  return source === 'default' ? 'it is not set anywhere yet' : 'it comes from the environment'
}
