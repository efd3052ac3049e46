import { defineError } from '@agent-service/sdk'
import { settlesWithin, withTimeLimit } from '@agent-service/sdk/async'
import type { UserData, UserDataRecord } from '@agent-service/sdk/contracts/user-data'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type ArchiveEntry, plainName } from './archive-entry.js'
import { addProblem, type PartReport } from './export-report.js'

/** How long a plugin may take for one record, in milliseconds. */
const defaultRecordLimitMs = 60_000
/** How long it may take to end, in milliseconds. */
const endLimitMs = 1_000
/** Lines are gathered into pieces of this many UTF-16 code units. */
const pieceLength = 64 * 1024
/** The files of one part; what comes beyond is in one more. */
const maxFiles = 1_000

const recordInvalidError = defineError<{ readonly part: string }>({
  code: 'export_record_invalid',
  status: 500,
  title: 'Invalid record',
  message: ({ part }) => `The export of “${part}” returned a record that is not JSON with a path.`,
})

interface Exporting {
  readonly data: Pick<UserData, 'id' | 'export'>
  readonly userId: string
  readonly report: PartReport
  readonly clock: Clock
  /** How long the plugin may take for one record. Default: a minute. */
  readonly recordLimitMs?: number
  /** Ends the export with its reason. */
  readonly signal: AbortSignal
  /** The plugin stops; the archive goes on without the rest of its data. */
  readonly stopped: AbortSignal
  /** A failure of the plugin; the archive goes on without the rest of its data. */
  readonly onFailure: (error: unknown) => void
}

/** A record as it is written. */
interface Line {
  readonly path: string
  readonly folder: string
  readonly json: string
}

/**
 * The records of one contribution as files: those of a folder that follow each other as the lines
 * of one file, `messages.ndjson`, each with its path; those without a folder as files of their own.
 * One record at a time is in memory. A failure ends the part, not the archive.
 */
export async function* recordEntries(exporting: Exporting): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { report, clock } = exporting
  const source = openSource(exporting)
  const names = new Map<string, number>()
  let files = 0
  const nameOf = (plain: string, ending: string): string => {
    const many = (names.get(plain) ?? 0) + 1
    names.set(plain, many)
    files += 1
    return `${report.folder}/${plain}${many === 1 ? '' : `-${many}`}.${ending}`
  }
  try {
    await source.advance()
    for (let line = source.next(); line; line = source.next()) {
      const modifiedAt = clock.now()
      if (files >= maxFiles) yield { name: nameOf('more', 'ndjson'), modifiedAt, input: linesOf(source, () => true) }
      else if (line.folder === '') {
        yield { name: nameOf(plainName(line.path).replace(/\.json$/, ''), 'json'), modifiedAt, input: `${line.json}\n` }
        await source.advance()
      } else {
        const { folder } = line
        yield { name: nameOf(folder, 'ndjson'), modifiedAt, input: linesOf(source, (each) => each.folder === folder) }
      }
    }
  } finally {
    await source.close()
  }
}

interface Source {
  /** The record that is to be written next. */
  next(): Line | undefined
  /** Reads the one after it. @throws the reason of the export's signal. */
  advance(): Promise<void>
  close(): Promise<void>
}

function openSource(exporting: Exporting): Source {
  const { data, userId, report, signal, stopped, onFailure, recordLimitMs = defaultRecordLimitMs } = exporting
  const controller = new AbortController()
  const ends = AbortSignal.any([signal, stopped, controller.signal])
  const records = data.export(userId, { signal: ends })[Symbol.asyncIterator]()
  let next: Line | undefined
  let isOver = false
  return {
    next: () => next,
    async advance() {
      next = undefined
      if (isOver) return
      try {
        const result = await withTimeLimit(() => records.next(), {
          limitMs: recordLimitMs,
          signal: ends,
          what: `The export of “${data.id}”`,
        })
        if (result.done === true) isOver = true
        else {
          next = lineOf(data.id, result.value)
          report.items += 1
          report.bytes += Buffer.byteLength(next.json)
        }
      } catch (error) {
        isOver = true
        signal.throwIfAborted()
        addProblem(report, error)
        onFailure(error)
        controller.abort(error)
      }
    },
    async close() {
      isOver = true
      controller.abort(new DOMException('The export ended.', 'AbortError'))
      // A plugin that does not stop keeps its own iterator, but not the archive.
      await settlesWithin(Promise.resolve(records.return?.()), { limitMs: endLimitMs })
    },
  }
}

function lineOf(part: string, record: UserDataRecord): Line {
  const { path, json } = record ?? {}
  const text = JSON.stringify(json)
  if (typeof path !== 'string' || text === undefined) throw recordInvalidError.create({ part })
  const folder = path.split('/').slice(0, -1).map(plainName).join('/')
  return { path, folder, json: text }
}

/** The bytes of the records that follow and belong together. */
async function* linesOf(source: Source, belongs: (line: Line) => boolean): AsyncGenerator<Uint8Array, void, undefined> {
  let piece = ''
  for (let line = source.next(); line && belongs(line); line = source.next()) {
    piece += `{"path":${JSON.stringify(line.path)},"data":${line.json}}\n`
    if (piece.length >= pieceLength) {
      yield Buffer.from(piece)
      piece = ''
    }
    await source.advance()
  }
  if (piece !== '') yield Buffer.from(piece)
}
