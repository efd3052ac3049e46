import type { TableEntry } from '@agent-service/kernel-core/http'
import { scopesOf } from '@agent-service/kernel-core/http/request'
import { parameterNamesOf } from '@agent-service/kernel-core/http/routing'
import { answerNameOf, bodyNameOf, isJsonObject } from '@agent-service/kernel-core/http/schemas'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { HttpRoute, RouteAnswer } from '@agent-service/sdk/contracts/http-route'
import type { Components } from './components.js'
import { exampleOf } from './examples.js'
import { describeProblems, type StatusOf } from './problems.js'
import { rightsOf } from './rights.js'
import { schemaReference } from './schema-json.js'

/** A route as an operation. Its named schemas are added to the components. */
export function describeOperation({ route, owner }: TableEntry, components: Components, statusOf: StatusOf): JsonObject {
  const { actors = [], includes = [], session = false, confirmed = false, body } = route
  const { schemaPrefix = '' } = owner
  const scopes = scopesOf(route)
  const description = [route.description, ...rightsOf(route)].filter((text) => text !== undefined).join('\n\n')
  const problem = schemaReference('Problem')
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: description === '' ? `${route.summary}.` : description,
    ...(route.tags ? { tags: [...route.tags] } : {}),
    ...(route.auth === 'public' ? { security: [] } : { security: securityOf(route) }),
    parameters: parametersOf(route, schemaPrefix, components),
    ...(body ? { requestBody: describeBody(route, body, schemaPrefix, components) } : {}),
    responses: { ...describeAnswers(route, schemaPrefix, components), ...describeProblems(route, problem, statusOf) },
    'x-owner': owner.id,
    'x-auth': route.auth,
    ...(scopes.length === 0 ? {} : { 'x-scope': scopes.length === 1 ? (scopes[0] ?? '') : [...scopes] }),
    ...(actors.length === 0 ? {} : { 'x-actors': [...actors] }),
    ...(includes.length === 0 ? {} : { 'x-includes': [...includes] }),
    ...(session ? { 'x-session': true } : {}),
    ...(confirmed ? { 'x-confirmed': true } : {}),
    ...(route.rateClass === undefined ? {} : { 'x-rate-class': route.rateClass }),
  }
}

const securityOf = (route: HttpRoute): JsonValue => [
  { bearer: [] },
  { refreshCookie: [] },
  ...(route.streaming ? [{ queryToken: [] }] : []),
  ...(route.presignable ? [{ presign: [] }] : []),
]

const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique key that makes the request safe to retry. For 24 hours, the same request with the same key gets the same response.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '01975f3e-8c00-7a3b-9d21-4f6e5b7c8d90',
}

function parametersOf(route: HttpRoute, prefix: string, components: Components): JsonValue {
  const inPath = parameterNamesOf(route.path).map((name) => {
    const declared = route.params?.properties[name]
    const schema: JsonObject = declared === undefined ? { type: 'string' } : components.refer(declared, prefix)
    return { ...describeParameter(name, schema, components), in: 'path', required: true }
  })
  const required: readonly string[] = route.query?.required ?? []
  const inQuery = Object.entries(route.query?.properties ?? {}).map(([name, schema]) => ({
    ...describeParameter(name, components.refer(schema, prefix), components),
    in: 'query',
    required: required.includes(name),
  }))
  return [...inPath, ...inQuery, ...(route.idempotent ? [idempotencyKey] : [])]
}

/** The description of the schema is that of the parameter, where tools show it. */
function describeParameter(name: string, schema: JsonObject, components: Components): JsonObject {
  const { description, ...rest } = schema
  const resolved = components.resolve(schema)
  const plain = { type: 'object', required: [name], properties: { [name]: resolved } }
  const example = exampleOf(plain, 'answer', components.resolve)
  // A text that has to match a pattern cannot be made up.
  const isUnknown = resolved['pattern'] !== undefined && resolved['examples'] === undefined
  const value = isJsonObject(example) && !isUnknown ? example[name] : undefined
  return { name, ...(description !== undefined && { description }), schema: rest, ...(value !== undefined && { example: value }) }
}

function describeBody(route: HttpRoute, body: NonNullable<HttpRoute['body']>, prefix: string, components: Components): JsonObject {
  if (body.kind === 'stream') {
    const { example } = body
    return {
      required: true,
      content: Object.fromEntries(body.contentTypes.map((type) => [type, { schema: {}, ...(example !== undefined && { example }) }])),
    }
  }
  const schema = components.refer(body.schema, prefix, bodyNameOf(route))
  const example = body.example ?? exampleOf(schema, 'request', components.resolve)
  return { required: true, content: { 'application/json': { schema, example } } }
}

const describeAnswers = (route: HttpRoute, prefix: string, components: Components): JsonObject =>
  Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]): readonly [string, JsonValue] => {
      const content = describeContent(answer, prefix, answerNameOf(route, status), components)
      return [status, { description: answer.description, ...(Object.keys(content).length > 0 && { content }) }]
    }),
  )

function describeContent({ schema, contentType, example }: RouteAnswer, prefix: string, name: string, components: Components): JsonObject {
  const json = schema && components.refer(schema, prefix, name)
  const isText = contentType !== undefined && contentType !== 'application/json'
  return {
    ...(json && {
      'application/json': { schema: json, example: (isText ? undefined : example) ?? exampleOf(json, 'answer', components.resolve) },
    }),
    ...(isText && { [contentType]: { schema: { type: 'string' }, example: typeof example === 'string' ? example : exampleText } }),
  }
}

/** Of content that the author gave no example of. */
const exampleText = '…'
