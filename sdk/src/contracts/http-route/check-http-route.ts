import {
  aBoolean,
  aFunction,
  aLine,
  aList,
  aName,
  aNumber,
  anObject,
  aText,
  checkMembers,
  type MemberRule,
  oneOf,
} from '../../core/check-members.js'
import type { Problem } from '../../core/errors.js'
import { anObjectSchema, aPortableSchema } from '../../manifest/contributed-schema.js'
import { checkRouteAgreement } from './check-route-agreement.js'
import { actorKinds } from './principal.js'
import type { HttpRoute } from './route.js'

const contentType = aName(/^[a-z0-9.+*-]+\/[a-z0-9.+*-]+(; ?[a-z0-9-]+=[^;\r\n]+)*$/i, 'a media type, such as text/csv')

const operationName = aName(/^[a-z][A-Za-z0-9]{0,199}$/, 'a name in camelCase, such as listNotes')

const accessScope = oneOf(['read', 'write', 'admin', 'inference'])
const scopes = aList(accessScope, { minItems: 1, maxItems: 4 })
const scope: MemberRule = (value, path) => (Array.isArray(value) ? scopes(value, path) : accessScope(value, path))

const jsonBody = anObject({
  required: { kind: oneOf(['json']), schema: aPortableSchema },
  optional: { limit: aNumber({ whole: true, above: 0 }) },
})
const streamBody = anObject({
  required: {
    kind: oneOf(['stream']),
    contentTypes: aList(contentType, { minItems: 1, maxItems: 50 }),
    limit: aNumber({ whole: true, above: 0 }),
  },
})

const body: MemberRule = (value, path) => {
  const kind = typeof value === 'object' && value !== null ? (value as { readonly kind?: unknown }).kind : undefined
  if (kind === 'json') return jsonBody(value, path)
  return kind === 'stream' ? streamBody(value, path) : [{ path: `${path}/kind`, message: 'must be "json" or "stream"' }]
}

const answer = anObject({ required: { description: aText({ maxLength: 2_000 }) }, optional: { schema: aPortableSchema, contentType } })

const answers: MemberRule = (value, path) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ path, message: 'must be an object of answers by status' }]
  const entries = Object.entries(value)
  if (entries.length === 0) return [{ path, message: 'must have at least one answer' }]
  return entries.flatMap(([status, each]) =>
    /^[1-5]\d\d$/.test(status)
      ? answer(each, `${path}/${status}`)
      : [{ path: `${path}/${status}`, message: 'must be a status, such as 200' }],
  )
}

/** Everything that is wrong with a route, each with a JSON pointer. Empty when it can be served. Never throws. */
export function checkHttpRoute(contribution: unknown): readonly Problem[] {
  const problems = checkMembers(contribution, {
    required: {
      specVersion: oneOf([1]),
      method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      path: aName(/^\/\S{0,499}$/, 'a path, such as /api/plugins/notes/{note_id}'),
      operationId: operationName,
      summary: aLine(300),
      auth: oneOf(['public', 'user', 'admin']),
      answers,
      handle: aFunction,
    },
    optional: {
      description: aText({ maxLength: 20_000 }),
      tags: aList(aLine(100), { maxItems: 20 }),
      scope,
      actors: aList(oneOf(actorKinds), { maxItems: actorKinds.length }),
      includes: aList(operationName, { maxItems: 20 }),
      session: aBoolean,
      confirmed: aBoolean,
      changes: aBoolean,
      rateClass: oneOf(['none', 'expensive']),
      streaming: aBoolean,
      presignable: aBoolean,
      idempotent: aBoolean,
      params: anObjectSchema,
      query: anObjectSchema,
      body,
      problemMembers: aFunction,
    },
  })
  return problems.length > 0 ? problems : checkRouteAgreement(contribution as HttpRoute)
}
