import { Type } from '@agent-service/sdk'

/** The id of something in a request. Whether there is such a thing is asked afterwards. */
export const idSchema = Type.String({ minLength: 1, maxLength: 100 })
