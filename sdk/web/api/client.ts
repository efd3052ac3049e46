import { createApi } from './create-api.js'
import type { paths } from './schema.js'

export { addressOf, onSessionEnd, send } from './send.js'

/** The client with the types of the console. */
export const api = createApi<paths>()
