import { ServiceError } from '@agent-service/sdk'
import {
  type DocumentSource,
  type Documents,
  type DocumentText,
  documentsBusyError,
  documentTooCostlyError,
  documentTypeUnknownError,
  documentUnreadableError,
} from '@agent-service/sdk/services/documents'
import type { Metrics } from '@agent-service/sdk/services/metrics'
import { type LimitDefinition, limitReachedError, overloadedError, type Quotas } from '@agent-service/sdk/services/quotas'
import { kindByMediaType, kindByName } from './kinds.js'
import { createMeasures } from './measures.js'
import { defaultTextCharacters, maxDocumentBytes, maxTextCharacters, type ReadAnswer, type ReadJob } from './processes/protocol.js'
import type { ReaderPool } from './processes/reader-pool.js'

/** How many documents are read at once. */
export const maxAtOnce = 2

/** One document per user at a time. The others wait, and the users take turns. */
const readingLimit: LimitDefinition = {
  name: 'documents',
  counts: 'documents that are read',
  maxPerHolder: 1,
  maxTotal: maxAtOnce,
  waiting: { maxPerHolder: 8, maxTotal: 64, maxMs: 60_000 },
}

/** Callers that name no user share one place. */
const unnamed = 'service'

const maxNameLength = 300
const maxBaseUrlLength = 4_000

export function createDocuments(dependencies: {
  readonly pool: ReaderPool
  readonly quotas: Quotas
  readonly metrics: Metrics
}): Documents {
  const { pool, quotas, metrics } = dependencies
  const limit = quotas.limit(readingLimit)
  const measures = createMeasures(metrics)

  const read = async (source: DocumentSource, holder: string, signal: AbortSignal): Promise<DocumentText> => {
    const hold = await limit.acquire(holder, 1, { signal }).catch((error: unknown) => {
      const busy = limitReachedError.isInstance(error) || overloadedError.isInstance(error)
      throw busy ? documentsBusyError.create({}, { cause: error, retryAfterSeconds: 10 }) : error
    })
    try {
      const { answer, text } = await pool.read(jobOf(source), source.bytes, { holder, signal })
      return textOf(answer, text, source)
    } finally {
      hold.release()
    }
  }

  return {
    reads: ({ mediaType, name }) => (kindByName(name) ?? kindByMediaType(mediaType)) !== undefined,
    async toText(source, { signal, userId }) {
      signal.throwIfAborted()
      const kind = kindByName(source.name) ?? kindByMediaType(source.mediaType)
      try {
        if (source.bytes.byteLength > maxDocumentBytes)
          throw documentTooCostlyError.create({ mediaType: shownType(source), limit: `${maxDocumentBytes / 1024 / 1024} MiB` })
        const document = await read(source, userId === undefined ? unnamed : `user:${userId}`, signal)
        measures.read(document.mediaType, 'read')
        return document
      } catch (error) {
        if (!signal.aborted) measures.failed(kind, ServiceError.isInstance(error) ? error.code : 'failed')
        throw error
      }
    },
  }
}

function jobOf({ name, mediaType, baseUrl, maxCharacters = defaultTextCharacters }: DocumentSource): ReadJob {
  return {
    ...(name === undefined ? {} : { name: name.slice(-maxNameLength) }),
    ...(mediaType === undefined ? {} : { mediaType: mediaType.slice(0, maxNameLength) }),
    ...(baseUrl === undefined || baseUrl.length > maxBaseUrlLength ? {} : { baseUrl }),
    maxCharacters: Math.min(maxTextCharacters, Math.max(1, Math.floor(maxCharacters))),
  }
}

/** The type of a document that no reader has seen the content of. */
const shownType = ({ mediaType }: DocumentSource): string =>
  mediaType !== undefined && /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mediaType) ? mediaType : 'of an unknown type'

function textOf(answer: ReadAnswer, text: string, source: DocumentSource): DocumentText {
  switch (answer.outcome) {
    case 'read': {
      const { mediaType, title, details, cut } = answer
      return { mediaType, text, ...(title === undefined ? {} : { title }), details, cut }
    }
    case 'type-unknown':
      throw documentTypeUnknownError.create({ mediaType: answer.mediaType })
    case 'unreadable':
      throw documentUnreadableError.create({ mediaType: typeFor(answer.mediaType, source), reason: answer.reason })
    case 'too-costly':
      throw documentTooCostlyError.create({ mediaType: typeFor(answer.mediaType, source), limit: answer.limit })
  }
}

const typeFor = (found: string, source: DocumentSource): string => (found === 'application/octet-stream' ? shownType(source) : found)
