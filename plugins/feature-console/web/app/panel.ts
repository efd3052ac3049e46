import type { Schemas } from '../api/index.js'

/** What a plugin adds to the console. */
export type Panel = Schemas['ConsolePanel']
