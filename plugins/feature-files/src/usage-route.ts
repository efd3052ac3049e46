import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { callerOf } from './caller-of.js'

const usageSchema = Type.Object({
  used_bytes: Type.Integer({ description: 'What the caller’s files have now, in all folders.' }),
  max_bytes: Type.Union([Type.Integer(), Type.Null()], { description: '`storage.max_bytes_per_user`; null where there is no limit.' }),
})

/** What the caller keeps in files, and may keep. */
export function createUsageRoute({ files }: { readonly files: Pick<UserFiles, 'stored'> }): HttpRoute {
  return defineRoute({
    method: 'GET',
    path: '/api/files/usage',
    operationId: 'getFileUsage',
    summary: 'How much the caller’s files take, and may take',
    description: 'Where a write would exceed `max_bytes`, it is refused with 413 `quota_exceeded`, and nothing of it is kept.',
    tags: ['files'],
    auth: 'user',
    answers: { 200: { description: 'In bytes.', schema: usageSchema } },
    async handle(request) {
      const { usedBytes, maxBytes } = await files.stored(callerOf(request))
      return ok({ used_bytes: usedBytes, max_bytes: maxBytes ?? null })
    },
  })
}
