import type { JsonObject } from '@agent-service/sdk'
import type { EngineEntity, EngineQuestion, EntityName } from '@agent-service/sdk/contracts/policy-engine'
import type { PolicyEntity, PolicyRequest } from '@agent-service/sdk/services/policy'
import { plainSizeOf } from './plain-value.js'

/** A path of a user's files may have 1,000 characters, each of two UTF-16 code units. */
const maxIdLength = 2_000
const maxEntities = 64

/**
 * The service's own attributes of entities; `undefined` for an unknown one. Attributes from callers
 * are ignored for these.
 */
export interface KnownEntities {
  /** The attributes of a usable account. */
  user(id: string): Promise<JsonObject | undefined>
  /** The attributes of a route, by its operation id. */
  route(id: string): JsonObject | undefined
}

/** A question with all known attributes, or the reason for its denial. */
export type ReadQuestion = { readonly request: EngineQuestion } | { readonly reason: string }

/**
 * Adds the service's own attributes to the same question about several resources, or returns why it
 * cannot be asked and is denied. Shared entities are read once.
 */
export async function readQuestions(
  asked: Omit<PolicyRequest, 'resource'>,
  resources: readonly PolicyEntity[],
  known: KnownEntities,
): Promise<readonly ReadQuestion[]> {
  const size = plainSizeOf(asked)
  if (!size) return resources.map(() => tooLarge)
  const askers = withParents(asked.principal)
  const about = resources.map(withComposedPath).map((resource) => {
    if (!plainSizeOf(resource, size)) return tooLarge
    const entities = withParents(resource)
    return askers.length + entities.length > maxEntities ? tooMany : { resource, entities }
  })
  // Entities of refused questions are not looked up.
  const asking = about.flatMap((one) => ('entities' in one ? one.entities : []))
  const attributesOf = await knownAttributes(asking.length === 0 ? [] : [...askers, ...asking], known)
  const principal = readEntities(askers, attributesOf)
  const { action, context = {} } = asked
  return about.map((one): ReadQuestion => {
    if ('reason' in one) return one
    if ('reason' in principal) return principal
    const read = readEntities(one.entities, attributesOf)
    if ('reason' in read) return read
    return {
      request: {
        principal: nameOf(asked.principal),
        action,
        resource: nameOf(one.resource),
        context,
        entities: [...principal.entities, ...read.entities],
      },
    }
  })
}

/**
 * A file has one path for policies, whichever Unicode form its names have on the disk: a name that looks
 * the same must not pass by the policy that forbids it.
 */
function withComposedPath(entity: PolicyEntity): PolicyEntity {
  if (entity.type !== 'File') return entity
  const { id, attributes = {} } = entity
  const path = attributes['path']
  const composed = { ...entity, id: id.normalize('NFC') }
  return typeof path === 'string' ? { ...composed, attributes: { ...attributes, path: path.normalize('NFC') } } : composed
}

type AttributesOf = (entity: PolicyEntity) => JsonObject | undefined

const tooLarge = { reason: 'it is too large, too deep or not plain data' }
const tooMany = { reason: `it has more than ${maxEntities} entities` }

const withParents = (entity: PolicyEntity): readonly PolicyEntity[] =>
  entity.parents ? [entity, ...entity.parents.flatMap(withParents)] : [entity]

/** Looks up every user once. */
async function knownAttributes(entities: readonly PolicyEntity[], known: KnownEntities): Promise<AttributesOf> {
  const users = new Map<string, JsonObject | undefined>()
  for (const { type, id } of entities) {
    if (type === 'User' && id.length <= maxIdLength && !users.has(id)) users.set(id, await known.user(id))
  }
  return ({ type, id, attributes = {} }) => {
    if (type === 'User') return users.get(id)
    if (type === 'Route') return known.route(id)
    return attributes
  }
}

function readEntities(
  given: readonly PolicyEntity[],
  attributesOf: AttributesOf,
): { readonly entities: readonly EngineEntity[] } | { readonly reason: string } {
  const entities: EngineEntity[] = []
  for (const entity of given) {
    const { type, id } = entity
    if (id.length > maxIdLength) return { reason: 'an id is too long' }
    const attributes = attributesOf(entity)
    if (!attributes) return { reason: `no usable ${type} has the id “${id}”` }
    const parents = type === 'User' || type === 'Route' ? [] : (entity.parents ?? []).map(nameOf)
    entities.push({ type, id, attributes, parents })
  }
  return { entities }
}

const nameOf = ({ type, id }: EntityName): EntityName => ({ type, id })
