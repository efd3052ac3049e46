import { namedObject, Type } from '@agent-service/sdk'
import { onStreamEnd } from '@agent-service/sdk/async'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'
import type { Agents } from '@agent-service/sdk/services/agents'
import { limitReachedError, overloadedError } from '@agent-service/sdk/services/quotas'
import type { Memories } from '../backend/memories.js'
import { userOf } from '../common/caller.js'
import {
  memoriesBusyError,
  memoryFullError,
  memoryImportInvalidError,
  memoryMovingError,
  memoryTooLargeError,
  memoryUnavailableError,
} from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { RequestShares } from '../common/request-shares.js'
import { markdownOf, type NameOf } from '../transfer/markdown.js'
import { linesOf, readRecords } from '../transfer/ndjson.js'

const tags = ['memory']

/** Export and import of a person's memories, in the neutral format of all back ends. */
export function createTransferRoutes(dependencies: {
  readonly memories: Pick<Memories, 'export' | 'import'>
  readonly agents: Pick<Agents, 'details'>
  readonly shares: RequestShares
}): readonly HttpRoute[] {
  const { memories, agents, shares } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/memory/export',
      operationId: 'exportMemories',
      summary: 'Export everything that is remembered about the caller',
      description:
        '`markdown` is for people. `ndjson` has one record a line, with everything that the back end knows, forgotten ones too (without their text): `POST /api/memory/import` takes it in, also in another deployment or with another back end.',
      tags,
      auth: 'user',
      rateClass: 'expensive',
      query: Type.Object({
        format: Type.Optional(Type.Union([Type.Literal('markdown'), Type.Literal('ndjson')], { default: 'markdown' })),
      }),
      errors: [memoryUnavailableError, memoryTooLargeError, limitReachedError, overloadedError],
      answers: {
        200: {
          description: 'The export, as an attachment.',
          contentType: 'application/octet-stream',
          example: '# What is remembered\n\nNothing.\n',
        },
      },
      async handle(request) {
        const userId = userOf(request)
        const { signal } = request
        if (request.query.format === 'ndjson') {
          const place = await shares.beginTransfer(userId, signal)
          const stream = onStreamEnd(linesOf(memories.export(userId, signal)), () => place.release())
          const headers = { 'content-disposition': 'attachment; filename="memories.ndjson"' }
          return { status: 200, kind: 'stream', contentType: 'application/x-ndjson', stream, headers }
        }
        const nameOf: NameOf = async (scope) => (scope.kind === 'agent' ? (await agents.details(userId, scope.agentId))?.name : undefined)
        const text = await shares.transfer(userId, signal, () => markdownOf(memories.export(userId, signal), nameOf))
        return {
          ...{ status: 200, kind: 'bytes', contentType: 'text/markdown; charset=utf-8', bytes: new TextEncoder().encode(text) },
          headers: { 'content-disposition': 'attachment; filename="memories.md"' },
        }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/memory/import',
      operationId: 'importMemories',
      summary: 'Take in an export of memories',
      description:
        'The body is an export in the format `ndjson`, of any back end. What is there already stays; the same records again change nothing, so an import that was cut is made again.',
      tags,
      auth: 'user',
      rateClass: 'expensive',
      body: {
        ...{ kind: 'stream', contentTypes: ['application/x-ndjson', 'application/octet-stream'], limit: limits.maxImportBytes },
        example:
          '{"format":1,"id":"m1","scope":{"kind":"user"},"kind":"note","text":"Prefers the train.","pinned":false,"createdAt":"2026-01-31T10:00:00.000Z","updatedAt":"2026-01-31T10:00:00.000Z","fadesAt":null,"evidence":[]}\n',
      },
      errors: [
        memoryImportInvalidError,
        memoryUnavailableError,
        memoryMovingError,
        memoriesBusyError,
        memoryFullError,
        limitReachedError,
        overloadedError,
      ],
      answers: {
        200: {
          description: 'The number of records that were read.',
          schema: namedObject('MemoryImport', { records: Type.Integer({ minimum: 0, examples: [12] }) }),
        },
      },
      async handle(request) {
        const userId = userOf(request)
        const { signal, bodyStream } = request
        const records = keepingError(readRecords(bodyStream ?? noBytes()))
        return shares.transfer(userId, signal, async () => {
          try {
            return ok({ records: await memories.import(userId, records.stream, signal) })
          } catch (error) {
            // What is wrong with the file matters more than what a back end has made of it.
            throw records.error() ?? error
          }
        })
      },
    }),
  ]
}

async function* noBytes(): AsyncGenerator<Uint8Array> {
  yield* []
}

/** The same stream, and the error that it ended with. */
function keepingError(records: AsyncIterable<MemoryRecord>): {
  readonly stream: AsyncIterable<MemoryRecord>
  readonly error: () => unknown
} {
  let failure: unknown
  async function* stream(): AsyncGenerator<MemoryRecord> {
    try {
      yield* records
    } catch (error) {
      failure = error
      throw error
    }
  }
  return { stream: stream(), error: () => failure }
}
