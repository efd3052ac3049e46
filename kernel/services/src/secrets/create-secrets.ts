import { type Environment, referencesIn, replaceReferences, variableValue } from '@agent-service/kernel-core/config'
import type { Redactor } from '@agent-service/kernel-core/log'
import type { Secrets } from '@agent-service/sdk/services/secrets'

/**
 * The service by which plugins resolve references. It reads the environment variables of the start
 * of the process. An empty variable counts as not set, and so does one for which `isReserved` is
 * true: no plugin gets the encryption secret.
 */
export function createSecrets(options: {
  readonly environment: Environment
  readonly redactor: Redactor
  readonly isReserved: (name: string) => boolean
}): Secrets {
  const { environment, redactor, isReserved } = options
  return Object.freeze<Secrets>({
    resolve(text) {
      const names = referencesIn(text)
      const missing = names.find((name) => isReserved(name) || variableValue(environment, name) === undefined)
      if (missing !== undefined) return { missing }
      for (const name of names) redactor.protect(variableValue(environment, name) ?? '')
      const value = replaceReferences(text, environment)
      redactor.protect(value)
      return { value }
    },
    protect: (value) => redactor.protect(value),
  })
}
