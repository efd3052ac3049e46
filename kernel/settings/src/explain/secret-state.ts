import {
  type Environment,
  referencesIn,
  replaceReferences,
  type SchemaNode,
  shownReferences,
  type ValueSource,
} from '@agent-service/kernel-core/config'
import type { JsonValue } from '@agent-service/sdk'

/** What is said of a secret in place of its value. */
export type SecretState = {
  /** Whether there is a value: a built-in default counts as none, and so does a reference to a variable that is not set. */
  readonly is_set: boolean
  readonly source: ValueSource
  /** The references that stand in the file in its place, `${WORK_KEY}`; absent where it is written out. */
  readonly reference?: string
}

/** The state of a secret. `value` is the effective one, `written` what the file has in its place, each where there is one. */
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
