import type { Secrets } from '@agent-service/sdk/services/secrets'
import { type Environment, referencesIn, replaceReferences, variableValue } from '../config/expand-references.js'
import type { Redactor } from '../log/redactor.js'

/** The service that plugins resolve references with. It reads the variables that the process started with; an empty one counts as not set. */
export function createSecrets(options: { readonly environment: Environment; readonly redactor: Redactor }): Secrets {
  const { environment, redactor } = options
  return Object.freeze<Secrets>({
    resolve(text) {
      const names = referencesIn(text)
      const missing = names.find((name) => variableValue(environment, name) === undefined)
      if (missing !== undefined) return { missing }
      for (const name of names) redactor.protect(variableValue(environment, name) ?? '')
      const value = replaceReferences(text, environment)
      redactor.protect(value)
      return { value }
    },
    protect: (value) => redactor.protect(value),
  })
}
