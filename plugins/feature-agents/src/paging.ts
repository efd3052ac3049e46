import type { Static } from '@agent-service/sdk'
import type { pageQuerySchema } from '@agent-service/sdk/contracts/http-route'

/** The query of a list as a part of a database query. */
export const pageOf = (query: Static<typeof pageQuerySchema>): { readonly limit: number; readonly cursor?: string } => ({
  limit: query.limit ?? 50,
  ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
})
