import { Type } from '@agent-service/sdk'
import {
  actorKinds,
  defineRoute,
  type HttpRoute,
  notFoundError,
  ok,
  pageQuerySchema,
  pageSchema,
  type RouteRequest,
} from '@agent-service/sdk/contracts/http-route'
import { type CatalogueOwner, type SkillCatalogue, type SkillSource, skillSources } from '../catalogue/catalogue.js'
import type { SkillChanges } from '../changes/skill-changes.js'
import { callerOf } from '../common/caller.js'
import { skillFileName } from '../common/limits.js'
import { agentQuery, nameSchema, pathSchema } from './route-schemas.js'
import { skillCheckSchema, skillDetailsSchema, skillSchema, viewOfCheck, viewOfFile, viewOfLock, viewOfSkill } from './skill-views.js'

const params = Type.Object({ source: Type.Union(skillSources.map((source) => Type.Literal(source))), name: nameSchema })
const tags = ['skills']
const defaultLimit = 50

export interface ReadRouteParts {
  readonly catalogue: SkillCatalogue
  readonly changes: Pick<SkillChanges, 'storeOf'>
}

type Asked = Pick<RouteRequest, 'principal'> & { readonly query: { readonly agent_id?: string } }

const ownerOf = ({ query, ...request }: Asked): CatalogueOwner => ({
  userId: callerOf(request).userId,
  ...(query.agent_id === undefined ? {} : { agentId: query.agent_id }),
})

/** What everyone may look at: the skills that all have, and their own. */
export const createReadRoutes = ({ catalogue, changes }: ReadRouteParts): readonly HttpRoute[] => {
  const storeOf = (request: Asked & { readonly params: { readonly source: string } }) =>
    changes.storeOf({ source: request.params.source as SkillSource, owner: ownerOf(request) })
  return [
    defineRoute({
      method: 'GET',
      path: '/api/skills',
      operationId: 'listSkills',
      summary: 'List the skills of all sources, by name',
      description:
        'Of skills with the same name the last source that works is used: bundled, shared, user, agent. `shadowed_by` names it for the others. Changes on disk show within a second.',
      tags,
      auth: 'user',
      actors: actorKinds,
      query: Type.Object({ ...agentQuery, ...pageQuerySchema.properties }),
      answers: { 200: { description: 'One page.', schema: pageSchema(skillSchema) } },
      async handle(request) {
        const owner = ownerOf(request)
        if (owner.agentId !== undefined) await changes.storeOf({ source: 'agent', owner })
        const { limit = defaultLimit, cursor } = request.query as { readonly limit?: number; readonly cursor?: string }
        const all = await catalogue.list(owner)
        const begin = cursor === undefined ? 0 : all.findIndex((skill) => keyOf(skill) > cursor)
        const page = begin < 0 ? [] : all.slice(begin, begin + limit)
        const last = page.at(-1)
        const next_cursor = last && begin + page.length < all.length ? keyOf(last) : null
        return ok({ items: page.map((skill) => viewOfSkill(skill, owner.agentId)), next_cursor })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/skills/{source}/{name}',
      operationId: 'getSkill',
      summary: 'Get a skill with its files',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      query: Type.Object(agentQuery),
      errors: [notFoundError],
      answers: { 200: { description: 'The skill.', schema: skillDetailsSchema } },
      handle: async (request) =>
        ok(await detailsOf({ catalogue, changes }, request.params.source as SkillSource, request.params.name, ownerOf(request))),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/skills/{source}/{name}/content',
      operationId: 'getSkillFile',
      summary: 'Download a file of a skill',
      description: 'Always an attachment of plain bytes. The header `ETag` is for `If-Match` of a change.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      query: Type.Object({ ...agentQuery, path: Type.Optional(pathSchema) }),
      errors: [notFoundError],
      answers: { 200: { description: 'The file.', contentType: 'application/octet-stream', example: '---\nname: notes\n---\n' } },
      async handle(request) {
        const file = await (await storeOf(request)).read(request.params.name, request.query.path ?? skillFileName)
        if (!file) throw notFoundError.create({ what: 'file' })
        const headers = { etag: file.etag, 'content-disposition': 'attachment' }
        return { status: 200, kind: 'bytes', contentType: 'application/octet-stream', bytes: file.bytes, headers }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/skills/{source}/{name}/check',
      operationId: 'checkSkill',
      summary: 'Compare a skill with what was installed',
      tags,
      auth: 'user',
      params,
      query: Type.Object(agentQuery),
      errors: [notFoundError],
      answers: { 200: { description: 'Which files were added, changed and removed since.', schema: skillCheckSchema } },
      async handle(request) {
        const { source, name } = request.params
        return ok(viewOfCheck(name, source as SkillSource, await (await storeOf(request)).changes(name)))
      },
    }),
  ]
}

const keyOf = ({ name, source }: { readonly name: string; readonly source: SkillSource }): string =>
  `${name} ${skillSources.indexOf(source)}`

/** A skill with its files. @throws `not_found`. */
export async function detailsOf({ catalogue, changes }: ReadRouteParts, source: SkillSource, name: string, owner: CatalogueOwner) {
  const store = await changes.storeOf({ source, owner })
  const skill = (await catalogue.list(owner)).find((each) => each.source === source && each.name === name)
  if (!skill) throw notFoundError.create({ what: 'skill' })
  const files = await store.files(name)
  return { ...viewOfSkill(skill, owner.agentId), files: files.map(viewOfFile), installation: viewOfLock(await store.lock(name)) }
}
