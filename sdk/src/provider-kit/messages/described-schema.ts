import type { ResponseSchema } from '../../contracts/provider-adapter/request.js'
import type { JsonObject } from '../../core/json.js'

/**
 * The schema of an answer for protocols without a place for its description: that stands in the
 * schema, if the schema has none itself.
 */
export const describedSchema = ({ schema, description }: ResponseSchema): JsonObject =>
  description === undefined || schema['description'] !== undefined ? schema : { ...schema, description }
