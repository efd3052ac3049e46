import type { DispatchTable } from '@agent-service/kernel-core/http/routing'
import { named, Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { createCompressedBytes, encodingFor, encodings } from '../compression/index.js'
import { createApiDocument } from './api-document.js'
import type { ApiTexts } from './describe-api.js'
import type { StatusOf } from './problems.js'

/** Only what a client has to know to read the rest of it. */
const apiDescription = named(
  'ApiDescription',
  Type.Object(
    {
      openapi: Type.String({ examples: ['3.1.0'] }),
      info: Type.Unknown({ examples: [{ title: 'Agent Service', version: '1.0.0' }] }),
      paths: Type.Unknown({ examples: [{}] }),
      components: Type.Unknown({ examples: [{}] }),
    },
    { additionalProperties: true, description: 'An OpenAPI 3.1 document.' },
  ),
)

/** Two documents in each encoding: the current one, and one from before the routes changed. */
const maxKeptBytes = 2 * 1024 * 1024

/**
 * The route of the OpenAPI document. The document is made again when the routes have changed. It is the same for
 * everyone and has no secret in it, so it may be compressed.
 */
export function createApiDescriptionRoute(dependencies: {
  readonly table: Pick<DispatchTable, 'current' | 'errorFormats'>
  /** What the description says besides the routes. Called when it is made. */
  readonly texts: () => ApiTexts
}): HttpRoute {
  const { table, texts } = dependencies
  const statusOf: StatusOf = (path, { status, code }) =>
    table.errorFormats.find(path)?.format({ status, code, detail: code, path, problems: [] }).status ?? status
  const compressed = createCompressedBytes({ maxBytes: maxKeptBytes })
  const describe = createApiDocument(table, () => ({ statusOf, ...texts() }))
  return defineRoute({
    method: 'GET',
    path: '/api/openapi.json',
    operationId: 'getApiDescription',
    summary: 'Get the OpenAPI 3.1 description of the HTTP API',
    tags: ['service'],
    auth: 'public',
    actors: actorKinds,
    answers: {
      200: {
        description: 'The OpenAPI document. It contains every route that is served at the moment.',
        schema: apiDescription,
        contentType: 'application/json',
      },
      304: { description: 'The document still has the entity tag of `If-None-Match`.' },
    },
    async handle({ headers }) {
      const { bytes, tag } = await describe()
      const encoding = encodingFor(headers, encodings)
      const etag = encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`
      const answered = { etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' }
      if (headers['if-none-match'] === etag) return { status: 304, kind: 'empty', headers: answered }
      const document = { status: 200, kind: 'bytes', contentType: 'application/json' } as const
      if (encoding === undefined) return { ...document, bytes, headers: answered }
      const sent = await compressed.of(tag, encoding, async () => bytes)
      return { ...document, bytes: sent, headers: { ...answered, 'content-encoding': encoding } }
    },
  })
}
