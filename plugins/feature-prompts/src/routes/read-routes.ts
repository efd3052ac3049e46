import { Type } from '@agent-service/sdk'
import {
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageOfList,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { PromptMetrics } from '../common/metrics.js'
import type { PromptList, PromptQuery } from '../service/prompt-list.js'
import { callerOf } from './caller.js'
import { listedPromptSchema, promptSchema, viewOf } from './prompt-schemas.js'

export const tags = ['prompts']
export const params = Type.Object({ prompt_id: Type.String({ minLength: 1, maxLength: 100 }) })
export const etagOf = (version: number) => ({ etag: `"${version}"` })

const querySchema = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Words of the command, the title or the beginning of the text.' })),
  order: Type.Optional(
    Type.Union([Type.Literal('command'), Type.Literal('used')], {
      description: 'By command, or the last used first. Default: command.',
    }),
  ),
  whose: Type.Optional(
    Type.Union([Type.Literal('all'), Type.Literal('own'), Type.Literal('shared')], {
      description: 'The caller’s own, those that others share, or both. Default: all.',
    }),
  ),
  ...pageQuerySchema.properties,
})

/** What a person reads, and that they used it. */
export const createReadRoutes = (list: PromptList, metrics: PromptMetrics): readonly HttpRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/api/prompts',
    operationId: 'listPrompts',
    summary: 'List the caller’s prompts and those that everyone has, without their texts',
    description: 'Of two prompts with the same command the caller’s own one is used; the other one is `shadowed`.',
    tags,
    auth: 'user',
    query: querySchema,
    answers: { 200: { description: 'One page.', schema: pageSchema(listedPromptSchema) } },
    async handle(request) {
      const query = request.query as PromptQuery & { readonly limit?: number; readonly cursor?: string }
      const all = await list.list(callerOf(request), query, request.signal)
      const { items, next_cursor } = pageOfList(all, ({ prompt }) => prompt.id, query)
      return ok({ items: items.map(viewOf), next_cursor })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/prompts/{prompt_id}',
    operationId: 'getPrompt',
    summary: 'Get a prompt with its text',
    tags,
    auth: 'user',
    params,
    errors: [notFoundError],
    answers: { 200: { description: 'The prompt.', schema: promptSchema } },
    async handle(request) {
      const prompt = await list.get(callerOf(request), request.params.prompt_id)
      return { ...ok({ ...viewOf(prompt), text: prompt.text }), headers: etagOf(prompt.prompt.version) }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/prompts/{prompt_id}/use',
    operationId: 'usePrompt',
    summary: 'Note that the caller used a prompt now',
    description: 'For the order “used” of the list.',
    tags,
    auth: 'user',
    params,
    errors: [notFoundError],
    answers: { 204: { description: 'Noted.' } },
    async handle(request) {
      const { isOwn } = await list.use(callerOf(request), request.params.prompt_id)
      metrics.used(isOwn)
      return noContent()
    },
  }),
]
