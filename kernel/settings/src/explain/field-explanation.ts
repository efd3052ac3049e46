import type { ValueSource } from '@agent-service/kernel-core/config'
import type { JsonValue } from '@agent-service/sdk'

/** Everything that is known about one field of a configuration. Contains no secret. */
export interface FieldExplanation {
  /** Dotted. */
  readonly path: string
  /** The environment variable that sets it. */
  readonly variable: string
  /** The plugin that owns the field, or `kernel`. */
  readonly owner: string
  readonly type: string
  /** The unit of a number, such as `seconds`; empty without one. */
  readonly unit: string
  readonly description: string
  readonly secret: boolean
  /**
   * The effective value; a secret as its `SecretState`; absent if the field is not set and has no
   * default.
   */
  readonly value?: JsonValue
  readonly source: ValueSource
  /**
   * Where the value was written: `12:3` in the file, or the variable's name. Absent for a default.
   */
  readonly place?: string
  /**
   * The references, `${NAME}`, with which the file sets the value. Absent without any, or if the
   * environment overrides it.
   */
  readonly reference?: string
  /** The value in the file, as it is written there, if that is not the effective value. */
  readonly saved?: JsonValue
  /** The variable that sets it: a change of the file has no effect while it is set. */
  readonly lockedBy?: string
  /**
   * The built-in default, as it would be written in the file; absent without one. A secret's is not
   * shown.
   */
  readonly default?: JsonValue
  /** A description of the default if it is not a fixed value. */
  readonly defaultText?: string
  /** Notes for people: that the field has no effect, that its plugin is disabled. */
  readonly notes: readonly string[]
  /** The problems of the value. */
  readonly problems: readonly string[]
}
