import { Type } from '@agent-service/sdk'

/** An id in a request. Whether it exists is checked later. */
export const idSchema = Type.String({ minLength: 1, maxLength: 100 })
