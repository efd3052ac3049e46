import {
  type Environment,
  referencesIn,
  replaceReferences,
  type SchemaNode,
  shownReferences,
  type ValueSource,
} from '@agent-service/kernel-core/config'
import type { JsonValue } from '@agent-service/sdk'

/** What is shown instead of a secret. */
export type SecretState = {
  /**
   * Whether there is a value: a built-in default does not count, nor does a reference to a variable
   * that is not set.
   */
  readonly is_set: boolean
  readonly source: ValueSource
  /** The references in the file, `${WORK_KEY}`; absent if the file has the value itself. */
  readonly reference?: string
}

/**
 * The state of a secret. `value` is the effective one, `written` the one in the file, if there are
 * such.
 */
export function secretState(
  node: SchemaNode,
  secret: {
    readonly value: JsonValue | undefined
    readonly written: JsonValue | undefined
    readonly source: ValueSource
    readonly environment: Environment
  },
): SecretState {
  const { value, written, source, environment } = secret
  const names = typeof written === 'string' && node['x-expand'] !== 'never' ? referencesIn(written) : []
  return {
    is_set: isSet(node, value, environment),
    source,
    ...(names.length === 0 ? {} : { reference: shownReferences(names) }),
  }
}

function isSet(node: SchemaNode, value: JsonValue | undefined, environment: Environment): boolean {
  if (value === undefined || value === null || value === '' || value === node.default) return false
  if (typeof value !== 'string' || node['x-expand'] === 'never') return true
  return replaceReferences(value, environment) !== ''
}
