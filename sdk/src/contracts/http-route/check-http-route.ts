import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aCount, aFunction, aLine, aName, aRange, aText, checkShape, firstSpecVersion, oneOf } from '../shape/check-shape.js'
import { aSchema } from '../shape/contributed-schema.js'
import { accessScopes } from './access.js'
import { checkRouteAgreement } from './check-route-agreement.js'
import { actorKinds } from './principal.js'
import type { HttpRoute } from './route.js'

const contentType = aName(/^[a-z0-9.+*-]+\/[a-z0-9.+*-]+(; ?[a-z0-9-]+=[^;\r\n]+)*$/i, 'a media type, such as text/csv')
const operationName = aName(/^[a-z][A-Za-z0-9]{0,199}$/, 'a name in camelCase, such as listNotes')
const accessScope = oneOf(accessScopes)

const body = Type.Union([
  Type.Object({
    kind: Type.Literal('json'),
    schema: aSchema(),
    limit: Type.Optional(aCount),
    illFormedTexts: Type.Optional(oneOf(['refuse', 'repair'])),
    example: Type.Optional(Type.Unknown()),
  }),
  Type.Object({
    kind: Type.Literal('stream'),
    contentTypes: Type.Array(contentType, { minItems: 1, maxItems: 50 }),
    limit: aCount,
    example: Type.Optional(Type.String({ maxLength: 10_000 })),
  }),
])

const answer = Type.Object({
  description: aText({ maxLength: 2_000 }),
  schema: Type.Optional(aSchema()),
  contentType: Type.Optional(contentType),
  example: Type.Optional(Type.Unknown()),
})

const routeError = Type.Object(
  { code: aName(/^[a-z][a-z0-9_]{0,99}$/, 'a code in snake_case, such as note_locked'), status: aRange(400, 599) },
  { additionalProperties: true },
)

const shape = Type.Object({
  specVersion: firstSpecVersion,
  method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: aName(/^\/\S{0,499}$/, 'a path, such as /api/plugins/notes/{note_id}'),
  operationId: operationName,
  summary: aLine(300),
  description: Type.Optional(aText({ maxLength: 20_000 })),
  tags: Type.Optional(Type.Array(aLine(100), { maxItems: 20 })),
  auth: oneOf(['public', 'user', 'admin']),
  scope: Type.Optional(Type.Union([accessScope, Type.Array(accessScope, { minItems: 1, maxItems: 4 })])),
  actors: Type.Optional(Type.Array(oneOf(actorKinds), { maxItems: actorKinds.length })),
  includes: Type.Optional(Type.Array(operationName, { maxItems: 20 })),
  session: Type.Optional(Type.Boolean()),
  confirmed: Type.Optional(Type.Boolean()),
  changes: Type.Optional(Type.Boolean()),
  rateClass: Type.Optional(oneOf(['none', 'expensive'])),
  streaming: Type.Optional(Type.Boolean()),
  presignable: Type.Optional(Type.Boolean()),
  idempotent: Type.Optional(Type.Boolean()),
  encodedSlashes: Type.Optional(Type.Boolean()),
  foreign: Type.Optional(Type.Boolean()),
  optionsHeaders: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 1_000 }))),
  params: Type.Optional(aSchema('object')),
  query: Type.Optional(aSchema('object')),
  body: Type.Optional(body),
  errors: Type.Optional(Type.Array(routeError, { maxItems: 50 })),
  answers: Type.Record(Type.String(), answer, { minProperties: 1 }),
  handle: aFunction,
})

/**
 * Everything that is wrong with a route, each with a JSON pointer. Empty when it can be served.
 * Never throws.
 */
export function checkHttpRoute(contribution: unknown): readonly Problem[] {
  const problems = checkShape(shape, contribution)
  return problems.length > 0 ? problems : checkRouteAgreement(contribution as HttpRoute)
}
