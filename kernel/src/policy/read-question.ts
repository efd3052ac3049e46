import type { JsonObject } from '@agent-service/sdk'
import type { PolicyEntity, PolicyRequest } from '@agent-service/sdk/services/policy'
import type { EngineEntity, EngineRequest, EntityName } from './engine/engine-jobs.js'
import { isPlainValue } from './plain-value.js'

const longestId = 500
const mostEntities = 64

/** What the service itself knows of entities; `undefined` for one that is not there. Nobody else's word on these counts. */
export interface KnownEntities {
  /** The attributes of an account that can be used. */
  user(id: string): Promise<JsonObject | undefined>
  /** The attributes of a route, by its operation id. */
  route(id: string): JsonObject | undefined
}

/** Completes a question with what the service knows, or says why it cannot be asked: then it is denied. */
export async function readQuestion(
  question: PolicyRequest,
  known: KnownEntities,
): Promise<{ readonly request: EngineRequest } | { readonly reason: string }> {
  if (!isPlainValue(question)) return { reason: 'it is too large, too deep or no plain data' }
  const given: PolicyEntity[] = []
  const gather = (entity: PolicyEntity): void => {
    given.push(entity)
    entity.parents?.forEach(gather)
  }
  gather(question.principal)
  gather(question.resource)
  if (given.length > mostEntities) return { reason: `it has more than ${mostEntities} entities` }

  const entities: EngineEntity[] = []
  for (const entity of given) {
    if (entity.id.length > longestId) return { reason: 'an id is too long' }
    const attributes = await attributesOf(entity, known)
    if (!attributes) return { reason: `there is no usable ${entity.type} “${entity.id}”` }
    entities.push({ ...nameOf(entity), attributes, parents: (isKnownHere(entity.type) ? [] : (entity.parents ?? [])).map(nameOf) })
  }
  const { principal, action, resource, context = {} } = question
  return { request: { principal: nameOf(principal), action, resource: nameOf(resource), context, entities } }
}

const isKnownHere = (type: string): boolean => type === 'User' || type === 'Route'

async function attributesOf({ type, id, attributes = {} }: PolicyEntity, known: KnownEntities): Promise<JsonObject | undefined> {
  if (type === 'User') return known.user(id)
  if (type === 'Route') return known.route(id)
  return attributes
}

const nameOf = ({ type, id }: EntityName): EntityName => ({ type, id })
