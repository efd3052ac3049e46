import { type Static, type TSchema, Type } from '@agent-service/sdk'

/** The query of every list. */
export const pageQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 2_000 })),
})

/** The answer of every list. */
export const pageSchema = (item: TSchema) => Type.Object({ items: Type.Array(item), next_cursor: Type.Union([Type.String(), Type.Null()]) })

/** A page's part of a database query. */
export const pageOf = (query: Static<typeof pageQuerySchema>): { readonly limit: number; readonly cursor?: string } => ({
  limit: query.limit ?? 50,
  ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
})
