import type { Logger } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import { describeExit } from '@agent-service/sdk/process'
import type { ReadAnswer, ReadJob } from './protocol.js'
import type { ReaderLimits } from './reader-command.js'
import { type ReaderEnd, type ReaderProcess, type ReadResult, startReader } from './reader-process.js'

/** Processes that read documents. The caller sees to it that only so many are read at once. */
export interface ReaderPool {
  /**
   * Reads a document in a process of its own, or in one that has only read documents of the same
   * holder. @throws the reason of the signal.
   */
  read(job: ReadJob, bytes: Uint8Array, options: { readonly holder: string; readonly signal: AbortSignal }): Promise<ReadResult>
  /** How many processes there are. */
  readonly size: number
  /** Ends all processes. */
  close(): Promise<void>
}

export interface ReaderPoolOptions {
  readonly log: Logger
  readonly limits: ReaderLimits
  /** How many processes there may be, idle ones included. */
  readonly maxReaders: number
  /** How long one document may take, in milliseconds. */
  readonly limitMs: number
  /** After so many documents a process is replaced. */
  readonly maxDocuments: number
  /** After so long without a document a process ends, in milliseconds. */
  readonly maxIdleMs: number
}

/** A process without a document. */
interface IdleReader {
  readonly reader: ReaderProcess
  readonly holder: string
  readonly documents: number
  readonly timer: NodeJS.Timeout
}

const timeOver = Symbol('time over')

export function createReaderPool(options: ReaderPoolOptions): ReaderPool {
  const { limits, log, limitMs, maxDocuments, maxIdleMs, maxReaders } = options
  const all = new Set<ReaderProcess>()
  const idle = new Set<IdleReader>()
  const closing = new AbortController()

  const end = async (reader: ReaderProcess): Promise<void> => {
    all.delete(reader)
    await reader.end()
  }
  const forget = (entry: IdleReader): void => {
    idle.delete(entry)
    clearTimeout(entry.timer)
  }
  const taken = async (holder: string, signal: AbortSignal): Promise<{ readonly reader: ReaderProcess; readonly documents: number }> => {
    const own = [...idle].find((entry) => entry.holder === holder)
    if (own) {
      forget(own)
      return own
    }
    const [oldest] = idle
    if (oldest && all.size >= maxReaders) {
      forget(oldest)
      await end(oldest.reader)
    }
    const reader = await startReader(limits, AbortSignal.any([signal, closing.signal]))
    all.add(reader)
    return { reader, documents: 0 }
  }
  const keep = (reader: ReaderProcess, holder: string, documents: number): void => {
    const entry: IdleReader = {
      reader,
      holder,
      documents,
      timer: setTimeout(() => {
        forget(entry)
        void end(reader)
      }, maxIdleMs).unref(),
    }
    idle.add(entry)
    // One that ends by itself while it waits is no reader any more.
    reader.onEnd(() => {
      if (idle.has(entry)) forget(entry)
      all.delete(reader)
    })
  }

  return {
    get size() {
      return all.size
    },
    async read(job, bytes, { holder, signal }) {
      const { reader, documents } = await taken(holder, signal)
      let result: ReadResult | ReaderEnd | undefined
      let mediaType = 'application/octet-stream'
      const onDetected = (detected: string): void => {
        mediaType = detected
      }
      try {
        result = await withTimeLimit(() => reader.read(job, bytes, onDetected), {
          limitMs,
          signal: AbortSignal.any([signal, closing.signal]),
          timedOut: () => Object.assign(new Error('A document took too long.'), { [timeOver]: true }),
        })
        if ('ended' in result) {
          log.debug('A reader of documents ended.', { reason: describeExit(result.ended) })
          return refused(mediaType, limitReached(result.ended))
        }
        return result
      } catch (error) {
        if (error instanceof Error && timeOver in error) return refused(mediaType, { limit: `${limitMs / 1_000} seconds` })
        throw error
      } finally {
        const answer = result && 'answer' in result ? result.answer : undefined
        // After a document that harmed it, and near the end of its time, a process is not used again.
        if (
          answer?.outcome === 'read' &&
          documents + 1 < maxDocuments &&
          answer.cpuSeconds < limits.cpuSeconds / 2 &&
          !closing.signal.aborted
        )
          keep(reader, holder, documents + 1)
        else await end(reader)
      }
    },
    async close() {
      closing.abort(new Error('The plugin that reads documents stops.'))
      for (const entry of [...idle]) forget(entry)
      await Promise.all([...all].map(end))
    },
  }
}

const refused = (mediaType: string, { limit }: { readonly limit?: string }): ReadResult => {
  const answer: ReadAnswer =
    limit === undefined
      ? { outcome: 'unreadable', mediaType, reason: 'it ends the program that reads it' }
      : { outcome: 'too-costly', mediaType, limit }
  return { answer, text: '' }
}

/** Which limit ended a process: the engine and the system have signals for it. */
function limitReached({ code, signal }: { readonly code: number | null; readonly signal: string | null }): { readonly limit?: string } {
  if (signal === 'SIGXCPU') return { limit: 'the time that one document may take' }
  if (signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL' || signal === 'SIGKILL' || code === 134 || code === 133)
    return { limit: 'the memory that one document may take' }
  return {}
}
