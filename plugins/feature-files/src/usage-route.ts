import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import { callerOf } from './caller-of.js'

const usageSchema = namedObject('StorageUsage', {
  used_bytes: Type.Integer({ description: 'The size of the caller’s files, in all folders.' }),
  max_bytes: Type.Union([Type.Integer(), Type.Null()], { description: '`storage.max_bytes_per_user`; null without a limit.' }),
})

/** The storage that the caller's files use, and its limit. */
export function createUsageRoute({ files }: { readonly files: Pick<UserFiles, 'stored'> }): HttpRoute {
  return defineRoute({
    method: 'GET',
    path: '/api/files/usage',
    operationId: 'getFileUsage',
    summary: 'The storage that the caller’s files use, and its limit',
    description: 'A write that would exceed `max_bytes` is refused with 413 `quota_exceeded`, and nothing of it is kept.',
    tags: ['files'],
    auth: 'user',
    answers: { 200: { description: 'In bytes.', schema: usageSchema } },
    async handle(request) {
      const { usedBytes, maxBytes } = await files.stored(callerOf(request))
      return ok({ used_bytes: usedBytes, max_bytes: maxBytes ?? null })
    },
  })
}
