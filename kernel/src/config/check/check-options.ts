import type { ValuePath } from '../schema/dotted-path.js'

/** How a value is checked against its schema. */
export interface CheckOptions {
  /** Whether members that must be there are asked for: in the whole, defaults filled in. Off for the file on its own, which may be partial. */
  readonly complete: boolean
  /** Whether the value at a path may be shown: it came from the file as it stands, and not out of a variable. */
  showable(path: ValuePath): boolean
}
