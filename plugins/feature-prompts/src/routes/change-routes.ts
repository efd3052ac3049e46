import {
  created,
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  noContent,
  notFoundError,
  ok,
  type RouteRequest,
} from '@agent-service/sdk/contracts/http-route'
import { operationForbiddenError, type PolicyService } from '@agent-service/sdk/services/policy'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { promptCommandTakenError, stalePromptError } from '../common/errors.js'
import { maxBytes } from '../common/limits.js'
import type { PromptChanges, PromptEditor, PromptInput } from '../service/prompt-changes.js'
import type { PromptList } from '../service/prompt-list.js'
import type { Prompt } from '../store/prompt.js'
import { editorOf } from './caller.js'
import {
  promptChangeSchema,
  promptImportResultSchema,
  promptImportSchema,
  promptInputSchema,
  promptSchema,
  promptSharingSchema,
  viewOf,
} from './prompt-schemas.js'
import { etagOf, params, tags } from './read-routes.js'

interface Parts {
  readonly changes: PromptChanges
  readonly list: Pick<PromptList, 'get'>
  readonly policies: Pick<PolicyService, 'isAuthorized'>
}

const answer = { description: 'The prompt.', schema: promptSchema }

/** What a person does with their own prompts, and who may give them to everyone. */
export const createChangeRoutes = (parts: Parts): readonly HttpRoute[] => [
  createRoute(parts),
  updateRoute(parts),
  deleteRoute(parts),
  restoreRoute(parts),
  importRoute(parts),
  shareRoute(parts),
]

/** The prompt as it is after a change. */
async function shown({ list }: Parts, { userId }: PromptEditor, { id }: Prompt) {
  const prompt = await list.get(userId, id)
  return { json: { ...viewOf(prompt), text: prompt.text }, headers: etagOf(prompt.prompt.version) }
}

const createRoute = (parts: Parts): HttpRoute =>
  defineRoute({
    method: 'POST',
    path: '/api/prompts',
    operationId: 'createPrompt',
    summary: 'Save a prompt',
    description: 'Only the caller has it, until it is shared.',
    tags,
    auth: 'user',
    body: { kind: 'json', schema: promptInputSchema },
    errors: [promptCommandTakenError, quotaExceededError],
    answers: { 201: answer },
    async handle(request) {
      const editor = await editorOf(request, parts.policies)
      const { json, headers } = await shown(parts, editor, await parts.changes.create(editor, request.body))
      return { ...created(json), headers }
    },
  })

const updateRoute = (parts: Parts): HttpRoute =>
  defineRoute({
    method: 'PATCH',
    path: '/api/prompts/{prompt_id}',
    operationId: 'updatePrompt',
    summary: 'Change a prompt of yours',
    description:
      'Absent members stay as they are. With `If-Match: "<version>"` the change is refused (412 `stale_prompt`) if the prompt has changed since. A prompt that everyone has is changed for everyone, which needs the operation `sharePrompt`.',
    tags,
    auth: 'user',
    params,
    body: { kind: 'json', schema: promptChangeSchema, example: { title: 'Translate a text' } },
    errors: [notFoundError, promptCommandTakenError, stalePromptError, quotaExceededError, operationForbiddenError],
    answers: { 200: answer },
    async handle(request) {
      const editor = await editorOf(request, parts.policies)
      const prompt = await parts.changes.update(editor, request.params.prompt_id, request.body as Partial<PromptInput>, versionsOf(request))
      const { json, headers } = await shown(parts, editor, prompt)
      return { ...ok(json), headers }
    },
  })

const deleteRoute = ({ changes, policies }: Parts): HttpRoute =>
  defineRoute({
    method: 'DELETE',
    path: '/api/prompts/{prompt_id}',
    operationId: 'deletePrompt',
    summary: 'Delete a prompt of yours',
    description: 'It is in no list from now on. For a day it can be restored, as far as its room is not needed for new ones.',
    tags,
    auth: 'user',
    params,
    errors: [notFoundError],
    answers: { 204: { description: 'Deleted.' } },
    async handle(request) {
      await changes.remove(await editorOf(request, policies), request.params.prompt_id)
      return noContent()
    },
  })

const restoreRoute = (parts: Parts): HttpRoute =>
  defineRoute({
    method: 'POST',
    path: '/api/prompts/{prompt_id}/restore',
    operationId: 'restorePrompt',
    summary: 'Restore a deleted prompt of yours',
    description: 'With its id, and for everyone if it was shared, which needs the operation `sharePrompt`.',
    tags,
    auth: 'user',
    params,
    errors: [notFoundError, promptCommandTakenError, operationForbiddenError],
    answers: { 200: answer },
    async handle(request) {
      const editor = await editorOf(request, parts.policies)
      const { json, headers } = await shown(parts, editor, await parts.changes.restore(editor, request.params.prompt_id))
      return { ...ok(json), headers }
    },
  })

const importRoute = ({ changes, policies }: Parts): HttpRoute =>
  defineRoute({
    method: 'POST',
    path: '/api/prompts/import',
    operationId: 'importPrompts',
    summary: 'Save several prompts at once',
    description: 'All of them or none. Replacing a prompt that everyone has needs the operation `sharePrompt`.',
    tags,
    auth: 'user',
    rateClass: 'expensive',
    body: {
      kind: 'json',
      schema: promptImportSchema,
      limit: 4 * maxBytes,
      example: { prompts: [{ command: 'translate', title: 'Translate a text', text: 'Translate into {{language=German}}: {{text}}' }] },
    },
    errors: [promptCommandTakenError, quotaExceededError, operationForbiddenError],
    answers: { 200: { description: 'What became of them.', schema: promptImportResultSchema } },
    async handle(request) {
      const { prompts, existing = 'skip' } = request.body as {
        readonly prompts: readonly PromptInput[]
        readonly existing?: 'skip' | 'replace'
      }
      requireDistinct(prompts)
      return ok({ ...(await changes.import(await editorOf(request, policies), prompts, existing)) })
    },
  })

const shareRoute = (parts: Parts): HttpRoute =>
  defineRoute({
    method: 'PUT',
    path: '/api/admin/prompts/{prompt_id}/shared',
    operationId: 'sharePrompt',
    summary: 'Give a prompt to everyone, or take it back',
    description: 'One of the caller can be given and taken back; one that another person shares can be taken back.',
    tags,
    auth: 'admin',
    params,
    body: { kind: 'json', schema: promptSharingSchema, example: { shared: 'everyone' } },
    errors: [notFoundError, promptCommandTakenError, quotaExceededError],
    answers: { 204: { description: 'Done.' } },
    async handle(request) {
      await parts.changes.share(await editorOf(request, parts.policies), request.params.prompt_id, request.body.shared)
      return noContent()
    },
  })

/** The versions that `If-Match` names; undefined if the caller did not ask. */
function versionsOf({ headers }: Pick<RouteRequest, 'headers'>): readonly string[] | undefined {
  const header = headers['if-match']?.trim()
  if (header === undefined || header === '*') return undefined
  return header.split(',').map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'))
}

/** @throws `invalid_request` if two prompts have the same command. */
function requireDistinct(prompts: readonly PromptInput[]): void {
  const commands = new Set<string>()
  for (const [index, { command }] of prompts.entries()) {
    if (commands.has(command)) {
      const problems = [{ path: `/prompts/${index}/command`, message: `is “${command}”, which an earlier prompt of this import has` }]
      throw invalidRequestError.create({ where: 'body' }, { problems })
    }
    commands.add(command)
  }
}
