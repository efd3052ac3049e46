import { type JsonValue, namedObject, Type } from '@agent-service/sdk'
import {
  created,
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  noContent,
  notFoundError,
  ok,
} from '@agent-service/sdk/contracts/http-route'
import { httpAddressRefusedError, httpClientBusyError, httpRequestInvalidError } from '@agent-service/sdk/services/http-client'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import type { SkillSource } from '../catalogue/catalogue.js'
import type { ChangePlace, NewSkill, SkillChanges } from '../changes/skill-changes.js'
import { callerOf } from '../common/caller.js'
import {
  skillExistsError,
  skillFetchFailedError,
  skillFileChangedError,
  skillInvalidError,
  skillNotFetchedError,
  skillRefusedError,
  tooManySkillsError,
} from '../common/errors.js'
import { limits, skillFileName } from '../common/limits.js'
import { readBody } from '../common/read-body.js'
import { detailsOf, type ReadRouteParts } from './read-routes.js'
import { agentId, nameSchema, newNameSchema, pathSchema } from './route-schemas.js'
import {
  skillAddressCheckSchema,
  skillDetailsSchema,
  skillFileSchema,
  skillWarningsSchema,
  viewOfFile,
  viewOfWarnings,
} from './skill-views.js'

export interface ChangeRouteParts extends ReadRouteParts {
  readonly changes: SkillChanges
  /** Archives that are being read. */
  readonly installs: Limit
}

/** Whose skills a set of routes changes. */
export interface ChangeRouteKind {
  readonly prefix: '/api/skills' | '/api/admin/skills'
  readonly auth: 'user' | 'admin'
  /** Behind the verb in operation ids and, in words, in summaries. */
  readonly suffix: 'Skill' | 'SharedSkill'
  readonly words: string
}

export const ownSkills: ChangeRouteKind = { prefix: '/api/skills', auth: 'user', suffix: 'Skill', words: 'skill of yours' }
export const sharedSkills: ChangeRouteKind = {
  ...{ prefix: '/api/admin/skills', auth: 'admin', suffix: 'SharedSkill', words: 'shared skill' },
}

const tags = ['skills']
const base64 = Type.String({ maxLength: Math.ceil((limits.maxArchiveBytes * 4) / 3) + 4, description: 'Base64.' })
const from = Type.String({ minLength: 1, maxLength: 500, description: 'The name of the archive or folder, for people.' })
const answer = { description: 'The skill.', schema: skillDetailsSchema }
const installErrors = [skillRefusedError, skillInvalidError, skillExistsError, tooManySkillsError, quotaExceededError, notFoundError]
const fetchErrors = [skillFetchFailedError, httpAddressRefusedError, httpRequestInvalidError, httpClientBusyError]

interface InstallBody {
  readonly agent_id?: string
  readonly replace?: boolean
  readonly from?: string
  readonly archive?: string
  readonly url?: string
  readonly files?: readonly { readonly path: string; readonly content: string }[]
}

/** The routes that change the skills of a person and of that person's agents, or those of the deployment. */
export function createChangeRoutes(kind: ChangeRouteKind, parts: ChangeRouteParts): readonly HttpRoute[] {
  const { changes, installs } = parts
  const { prefix, auth, suffix, words } = kind
  const own = auth === 'user'
  const agentMember = own ? { agent_id: Type.Optional(agentId) } : {}
  const skillPath = own ? `${prefix}/{source}/{name}` : `${prefix}/{name}`
  const params = own
    ? Type.Object({ source: Type.Union([Type.Literal('user'), Type.Literal('agent')]), name: nameSchema })
    : Type.Object({ name: nameSchema })
  const agentQuery = Type.Object(agentMember)
  const contentQuery = Type.Object({ ...agentMember, path: Type.Optional(pathSchema) })
  type Request = Parameters<typeof callerOf>[0]
  const placeOf = (request: Request, agent: string | undefined, source?: string): ChangePlace => {
    const { userId } = callerOf(request)
    if (!own) return { source: 'shared', owner: { userId } }
    if (source === 'agent' && agent === undefined)
      throw invalidRequestError.create(
        { where: 'query' },
        { problems: [{ path: '/agent_id', message: 'is required for the skills of an agent' }] },
      )
    const isAgents = source === undefined ? agent !== undefined : source === 'agent'
    return isAgents && agent !== undefined ? { source: 'agent', owner: { userId, agentId: agent } } : { source: 'user', owner: { userId } }
  }
  /** The place that the path and the query of a request name. */
  const namedPlace = (
    request: Request & { readonly params: unknown; readonly query: unknown },
  ): ChangePlace & { readonly name: string } => {
    const { source, name } = request.params as { readonly source?: string; readonly name: string }
    return { ...placeOf(request, (request.query as { readonly agent_id?: string }).agent_id, source), name }
  }
  const details = async ({ source, owner }: ChangePlace, name: string): Promise<JsonValue> =>
    detailsOf(parts, source as SkillSource, name, owner) as Promise<JsonValue>
  const installing = async (
    request: Request & { readonly signal: AbortSignal },
    place: ChangePlace,
    replace: boolean,
    read: () => Promise<NewSkill>,
  ) => {
    const hold = await installs.acquire(`user:${callerOf(request).userId}`, 1, { signal: request.signal })
    try {
      const { name } = await changes.install(place, await read(), { replace, signal: request.signal })
      return created(await details(place, name))
    } finally {
      hold.release()
    }
  }

  return [
    ...(own ? [createValidateRoute(parts)] : []),
    defineRoute({
      method: 'POST',
      path: prefix,
      operationId: `create${suffix}`,
      summary: `Create a ${words} from a template`,
      tags,
      auth,
      body: {
        kind: 'json',
        schema: Type.Object({
          ...agentMember,
          name: newNameSchema,
          description: Type.String({ minLength: 1, maxLength: 1_024, pattern: '\\S' }),
        }),
        example: { name: 'weekly-report', description: 'Writes the report of the week. Use it when the person asks for one.' },
      },
      errors: installErrors,
      answers: { 201: answer },
      async handle(request) {
        const body = request.body as { readonly agent_id?: string; readonly name: string; readonly description: string }
        const place = placeOf(request, body.agent_id)
        await changes.create(place, body, request.signal)
        return created(await details(place, body.name))
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${prefix}/install`,
      operationId: `install${suffix}`,
      summary: `Install a ${words} from an archive, a list of files or an https address`,
      description:
        'Exactly one of `archive` (a .zip or .tar.gz in Base64), `files` and `url`. What breaks a rule is refused as a whole. An address must be public; only https is fetched.',
      tags,
      auth,
      rateClass: 'expensive',
      body: {
        kind: 'json',
        limit: 2 * limits.maxArchiveBytes,
        schema: Type.Object({
          ...{ ...agentMember, replace: Type.Optional(Type.Boolean()), from: Type.Optional(from) },
          ...packedMembers,
          url: Type.Optional(
            Type.String({ minLength: 9, maxLength: 2_000, pattern: '^https://', examples: ['https://example.org/notes.zip'] }),
          ),
        }),
        example: { url: 'https://example.org/notes.zip' },
      },
      errors: [...installErrors, ...fetchErrors],
      answers: { 201: answer },
      async handle(request) {
        const body = request.body as InstallBody
        return installing(request, placeOf(request, body.agent_id), body.replace === true, async () => newSkillOf(body))
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${prefix}/upload`,
      operationId: `upload${suffix}`,
      summary: `Install a ${words} from an archive`,
      description: `The body is a .zip or .tar.gz of at most ${limits.maxArchiveBytes} bytes. What breaks a rule is refused as a whole.`,
      tags,
      auth,
      rateClass: 'expensive',
      query: Type.Object({ ...agentMember, replace: Type.Optional(Type.Boolean()), from: Type.Optional(from) }),
      body: { kind: 'stream', contentTypes: ['*/*'], limit: limits.maxArchiveBytes, example: 'The bytes of a .zip or .tar.gz archive.' },
      errors: installErrors,
      answers: { 201: answer },
      async handle(request) {
        const query = request.query as { readonly agent_id?: string; readonly replace?: boolean; readonly from?: string }
        return installing(request, placeOf(request, query.agent_id), query.replace === true, async () => ({
          ...{ kind: 'archive', bytes: await readBody(request.bodyStream, limits.maxArchiveBytes), from: query.from ?? null },
        }))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: skillPath,
      operationId: `delete${suffix}`,
      summary: `Remove a ${words}`,
      tags,
      auth,
      params,
      query: agentQuery,
      errors: [notFoundError],
      answers: { 204: { description: 'Removed.' } },
      async handle(request) {
        const { name, ...place } = namedPlace(request)
        await changes.remove(place, name)
        return noContent()
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${skillPath}/content`,
      operationId: `put${suffix}File`,
      summary: `Write a file of a ${words}`,
      description: `At most ${limits.maxFileBytes} bytes. A SKILL.md that could not be used is refused. \`If-Match\` with an etag writes only over what the client has seen.`,
      tags,
      auth,
      rateClass: 'expensive',
      params,
      query: contentQuery,
      body: { kind: 'stream', contentTypes: ['*/*'], limit: limits.maxFileBytes, example: '# Terms' },
      errors: [skillRefusedError, skillInvalidError, skillFileChangedError, quotaExceededError, notFoundError],
      answers: { 200: { description: 'The file.', schema: skillFileSchema } },
      async handle(request) {
        const { name, ...place } = namedPlace(request)
        const { path = skillFileName } = request.query as { readonly path?: string }
        const bytes = await readBody(request.bodyStream, limits.maxFileBytes)
        const ifMatch = request.headers['if-match']
        const options = { signal: request.signal, ...(ifMatch === undefined ? {} : { ifMatch }) }
        return ok(viewOfFile(await changes.writeFile(place, name, { path, bytes }, options)))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${skillPath}/content`,
      operationId: `delete${suffix}File`,
      summary: `Remove a file of a ${words}`,
      tags,
      auth,
      params,
      query: contentQuery,
      errors: [skillRefusedError, notFoundError],
      answers: { 204: { description: 'Removed.' } },
      async handle(request) {
        const { name, ...place } = namedPlace(request)
        await changes.removeFile(place, name, (request.query as { readonly path?: string }).path ?? skillFileName)
        return noContent()
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${skillPath}/check`,
      operationId: `check${suffix}Address`,
      summary: `See whether the address that a ${words} came from gives another version`,
      description: 'Changes nothing. What has not changed since it was fetched is not fetched again, if the server can tell.',
      tags,
      auth,
      rateClass: 'expensive',
      changes: false,
      params,
      query: agentQuery,
      errors: [skillRefusedError, skillInvalidError, skillNotFetchedError, ...fetchErrors],
      answers: { 200: { description: 'What the address gives now.', schema: skillAddressCheckSchema } },
      async handle(request) {
        const { name, ...place } = namedPlace(request)
        const hold = await installs.acquire(`user:${callerOf(request).userId}`, 1, { signal: request.signal })
        try {
          const { hasChanged, sha256, version = null } = await changes.checkAddress(place, name, request.signal)
          return ok({ name, state: hasChanged ? 'changed' : 'unchanged', sha256, version })
        } finally {
          hold.release()
        }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${skillPath}/update`,
      operationId: `update${suffix}`,
      summary: `Fetch a ${words} again from the address that it came from`,
      tags,
      auth,
      rateClass: 'expensive',
      params,
      query: agentQuery,
      errors: [...installErrors, skillNotFetchedError, ...fetchErrors],
      answers: { 200: answer },
      async handle(request) {
        const { name, ...place } = namedPlace(request)
        const hold = await installs.acquire(`user:${callerOf(request).userId}`, 1, { signal: request.signal })
        try {
          await changes.update(place, name, request.signal)
          return ok(await details(place, name))
        } finally {
          hold.release()
        }
      },
    }),
  ]
}

const packedFile = namedObject('PackedSkillFile', { path: pathSchema, content: base64 })

const packedMembers = {
  archive: Type.Optional(base64),
  files: Type.Optional(Type.Array(packedFile, { minItems: 1, maxItems: limits.maxFiles })),
}

const createValidateRoute = ({ changes, installs }: ChangeRouteParts): HttpRoute =>
  defineRoute({
    method: 'POST',
    path: `${ownSkills.prefix}/validate`,
    operationId: 'validateSkill',
    summary: 'Check an archive or a list of files as an installation would, without installing it',
    tags,
    auth: 'user',
    rateClass: 'expensive',
    changes: false,
    body: {
      kind: 'json',
      limit: 2 * limits.maxArchiveBytes,
      schema: Type.Object(packedMembers),
      example: { files: [{ path: 'SKILL.md', content: 'LS0tCm5hbWU6IG5vdGVzCmRlc2NyaXB0aW9uOiBOb3Rlcy4KLS0tCg==' }] },
    },
    errors: [skillRefusedError, skillInvalidError],
    answers: {
      200: {
        description: 'What would be installed.',
        schema: namedObject('SkillExamination', {
          name: Type.String(),
          description: Type.String(),
          files: Type.Integer(),
          bytes: Type.Integer(),
          warnings: skillWarningsSchema,
        }),
      },
    },
    async handle(request) {
      const hold = await installs.acquire(`user:${callerOf(request).userId}`, 1, { signal: request.signal })
      try {
        const { document, files } = await changes.examine(newSkillOf(request.body as InstallBody), request.signal)
        const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0)
        const { name, description } = document
        return ok({ name, description, files: files.length, bytes, warnings: viewOfWarnings(document) })
      } finally {
        hold.release()
      }
    },
  })

function newSkillOf({ archive, files, url, ...body }: InstallBody): NewSkill {
  const from = body.from ?? null
  const given = [archive, files, url].filter((each) => each !== undefined)
  if (given.length !== 1)
    throw invalidRequestError.create(
      { where: 'body' },
      { problems: [{ path: '/archive', message: 'give exactly one of archive, files and url' }] },
    )
  if (url !== undefined) return { kind: 'url', url }
  if (files !== undefined)
    return {
      kind: 'folder',
      from,
      files: files.map(({ path, content }, index) => ({ path, bytes: bytesOf(content, `/files/${index}/content`) })),
    }
  return { kind: 'archive', bytes: bytesOf(archive ?? '', '/archive'), from }
}

function bytesOf(text: string, path: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0)
    throw invalidRequestError.create({ where: 'body' }, { problems: [{ path, message: 'is not Base64' }] })
  return Buffer.from(text, 'base64')
}
