import type { MemberRule } from '../core/check-members.js'
import { checkPortableSchema } from './portable-schema.js'

/** A schema that survives JSON. */
export const aPortableSchema: MemberRule = (value, path) => checkPortableSchema(value, path)

/** A schema of an object that survives JSON. */
export const anObjectSchema: MemberRule = (value, path) => {
  const problems = checkPortableSchema(value, path)
  if (problems.length > 0) return problems
  return (value as { readonly type?: unknown }).type === 'object' ? [] : [{ path, message: 'must be the schema of an object' }]
}

/** A schema of an object that survives JSON and allows no unknown member. */
export const aClosedObjectSchema: MemberRule = (value, path) => {
  const problems = anObjectSchema(value, path)
  if (problems.length > 0) return problems
  if ((value as { readonly additionalProperties?: unknown }).additionalProperties === false) return []
  return [{ path, message: 'must be closed: write additionalProperties: false, or make it with Type.Object' }]
}
