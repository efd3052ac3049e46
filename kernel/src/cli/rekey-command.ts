import { newEncryptionSecretVariable } from '../config/index.js'
import { newSecretRefusedError } from './errors.js'
import { exitStatus } from './exit-status.js'
import type { Invocation } from './invocation.js'
import { withOfflineService } from './offline.js'
import { askSecret } from './terminal.js'

const variable = newEncryptionSecretVariable
const shortest = 16

/**
 * Brings the database under another encryption secret. All keys change in one write: whatever interrupts it, the database belongs either to the
 * old secret or to the new one.
 */
export async function rekeyCommand(input: Invocation & { readonly options: { readonly json?: boolean } }): Promise<number> {
  const { terminal, environment, options } = input
  const instead = `Set ${variable}, or write it to standard input.`
  const secret = environment[variable] ?? (await askSecret(terminal, 'New encryption secret:', { instead }))
  if (secret.length < shortest)
    throw newSecretRefusedError.create({ reason: `has ${secret.length} characters; at least ${shortest} are wanted` })
  return withOfflineService(input, async ({ prepared, services }) => {
    if (secret === prepared.configuration.auth.encryption_secret) throw newSecretRefusedError.create({ reason: 'is the one in use' })
    const keys = await services.rekey(secret)
    if (options.json === true) terminal.line(JSON.stringify({ keys }))
    else {
      terminal.line(`${keys === 1 ? 'The key' : `All ${keys} keys`} of the database ${keys === 1 ? 'is' : 'are'} under the new secret now.`)
      terminal.line(
        `Before the next start, set auth.encryption_secret (SERVICE_AUTH_ENCRYPTION_SECRET) to it: ${placeOf(prepared.configuration)}.`,
      )
      terminal.line('Backups that were made before belong to the old secret; keep it as long as you keep them.')
    }
    return exitStatus.done
  })
}

/** Where the secret is set today. */
function placeOf(configuration: { sourceOf(path: string): string | undefined; readonly file: { readonly path: string } }): string {
  const source = configuration.sourceOf('auth.encryption_secret')
  if (source === 'file') return `it stands in ${configuration.file.path}`
  return source === 'default' ? 'it is not set anywhere yet' : 'it comes from the environment'
}
