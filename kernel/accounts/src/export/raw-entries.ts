import type { JsonObject } from '@agent-service/sdk'
import type { RawCollection } from '../raw-data/index.js'
import { type ArchiveEntry, plainName } from './archive-entry.js'
import { addProblem, newReport, type PartReport, problemsOf } from './export-report.js'

/** Lines are gathered into pieces of this many UTF-16 code units. */
const pieceLength = 64 * 1024

/** What an archive has of one collection as it is stored. */
export interface RawReport {
  readonly collection: RawCollection
  /** Its name in the archive. */
  readonly file: string
  readonly report: PartReport
}

interface Exporting {
  readonly userId: string
  readonly modifiedAt: number
  readonly signal: AbortSignal
  /** Whether the policies permit the person to read it. Notes in the report why not. */
  readonly mayRead: (raw: RawReport) => Promise<boolean>
  /** The documents could not be read; the archive goes on without the rest of them. */
  readonly onFailure: (error: unknown) => void
}

export function newRawReport(collection: RawCollection): RawReport {
  const folder = `raw/${plainName(collection.plugin)}`
  return { collection, file: `${folder}/${plainName(collection.name)}.ndjson`, report: newReport(collection.name, folder) }
}

/** Whether the account has something there, or may have. */
export const hasSomething = ({ report }: RawReport): boolean => report.items > 0 || problemsOf(report).length > 0

/**
 * The documents of the account as the lines of one file, without what is sealed; no file if there
 * are none. One page of them at a time is in memory.
 */
export async function* rawEntries(raw: RawReport, exporting: Exporting): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { collection, file, report } = raw
  const { userId, modifiedAt, signal, mayRead, onFailure } = exporting
  const documents = collection.documents(userId, { signal })[Symbol.asyncIterator]()
  const next = async (): Promise<JsonObject | undefined> => {
    try {
      const result = await documents.next()
      return result.done === true ? undefined : result.value
    } catch (error) {
      signal.throwIfAborted()
      addProblem(report, error)
      onFailure(error)
      return undefined
    }
  }
  try {
    const first = await next()
    if (first === undefined) return
    if (await mayRead(raw)) yield { name: file, modifiedAt, input: linesOf(first, next, report) }
  } finally {
    await documents.return?.()
  }
}

async function* linesOf(
  first: JsonObject,
  next: () => Promise<JsonObject | undefined>,
  report: PartReport,
): AsyncGenerator<Uint8Array, void, undefined> {
  let piece = ''
  for (let document: JsonObject | undefined = first; document !== undefined; document = await next()) {
    const line = `${JSON.stringify(document)}\n`
    report.items += 1
    report.bytes += Buffer.byteLength(line)
    piece += line
    if (piece.length < pieceLength) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}

/** What the manifest says of raw documents, by plugin. */
export function rawParts(reports: readonly RawReport[]): readonly JsonObject[] {
  const plugins = [...new Set(reports.map(({ collection }) => collection.plugin))]
  return plugins.map((plugin) => rawPart(reports.filter(({ collection }) => collection.plugin === plugin)))
}

function rawPart(reports: readonly RawReport[]): JsonObject {
  const problems = reports.flatMap(({ report }) => problemsOf(report))
  const sum = (pick: (report: PartReport) => number): number => reports.reduce((total, { report }) => total + pick(report), 0)
  return {
    plugin: reports[0]?.collection.plugin ?? '',
    state: reports[0]?.collection.state ?? '',
    raw: true,
    folder: reports[0]?.report.folder ?? '',
    collections: reports.map(({ collection, file, report }) => ({
      name: collection.name,
      file,
      records: report.items,
      bytes: report.bytes,
      left_out_members: [...collection.sealed],
    })),
    records: sum(({ items }) => items),
    bytes: sum(({ bytes }) => bytes),
    complete: problems.length === 0,
    problems: problems.map((problem) => ({ ...problem })),
  }
}
