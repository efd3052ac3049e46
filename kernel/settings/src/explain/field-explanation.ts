import type { ValueSource } from '@agent-service/kernel-core/config'
import type { JsonValue } from '@agent-service/sdk'

/** Everything that is known of one field of one configuration. Holds no secret. */
export interface FieldExplanation {
  /** Dotted. */
  readonly path: string
  /** The environment variable that sets it. */
  readonly variable: string
  /** The plugin whose field it is, or `kernel`. */
  readonly owner: string
  readonly type: string
  /** What a number counts, `seconds`; empty where it counts nothing. */
  readonly unit: string
  readonly description: string
  readonly secret: boolean
  /** The effective value; a secret as its `SecretState`; absent where the field is not set and has no default. */
  readonly value?: JsonValue
  readonly source: ValueSource
  /** Where the value was written: `12:3` in the file, or the variable's name. Absent for a default. */
  readonly place?: string
  /** The references, `${NAME}`, that the file gives the value by. Absent where it gives none, or where the environment has the last word. */
  readonly reference?: string
  /** What the file has, as it is written there, where that is not the effective value. */
  readonly saved?: JsonValue
  /** The variable that sets it, so that a change of the file takes no effect while it is there. */
  readonly lockedBy?: string
  /** The built-in default, as it would stand in the file; absent where there is none. A secret's is not shown. */
  readonly default?: JsonValue
  /** What holds without a value where no fixed default can say it. */
  readonly defaultText?: string
  /** What a person should know: that the field has no effect, that its plugin is disabled. */
  readonly notes: readonly string[]
  /** What is wrong with it. */
  readonly problems: readonly string[]
}
