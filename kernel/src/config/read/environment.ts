import type { Environment } from './expand-references.js'

/** The variables of this process, as they are now. The one place that reads them. */
export const readEnvironment = (): Environment => Object.freeze({ ...process.env })
