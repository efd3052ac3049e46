import type { Schemas } from '../../api/index.js'

/** A file that a call of an agent has made or changed. */
export type MadeFile = Schemas['MadeFile']
