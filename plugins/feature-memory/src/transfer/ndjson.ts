import { instant, type Problem, Type, validate } from '@agent-service/sdk'
import type { MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'
import { memoryImportInvalidError } from '../common/errors.js'
import { limits } from '../common/limits.js'

/** Ids stand in what models read, so they are words. */
const id = Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\w.:-]+$' })
const maxDepth = 32
const time = instant()

const recordSchema = Type.Object({
  format: Type.Literal(1),
  id,
  scope: Type.Union([
    Type.Object({ kind: Type.Literal('user') }),
    Type.Object({ kind: Type.Literal('agent'), agentId: id }),
    Type.Object({ kind: Type.Literal('space'), spaceId: id }),
  ]),
  kind: Type.Union([Type.Literal('note'), Type.Literal('statement'), Type.Literal('playbook'), Type.Literal('summary')]),
  title: Type.Optional(Type.String({ maxLength: 1_000 })),
  whenToUse: Type.Optional(Type.String({ maxLength: 1_000 })),
  pageId: Type.Optional(id),
  text: Type.String({ maxLength: 100_000 }),
  pinned: Type.Boolean(),
  createdAt: time,
  updatedAt: time,
  validFrom: Type.Optional(time),
  validTo: Type.Optional(time),
  fadesAt: Type.Union([time, Type.Null()]),
  evidence: Type.Array(Type.Object({ chatId: id, messageId: Type.Optional(id) }), { maxItems: 1_000 }),
  origin: Type.Optional(Type.Literal('tool')),
  forgotten: Type.Optional(Type.Boolean()),
  corrected: Type.Optional(Type.Boolean()),
  digests: Type.Optional(Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), { maxItems: 500 })),
  details: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
})

/** One line of an export. */
export const lineOf = (record: MemoryRecord): string => `${JSON.stringify(record)}\n`

/** Bytes of an export in the format `ndjson`. */
export async function* linesOf(records: AsyncIterable<MemoryRecord>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const record of records) yield encoder.encode(lineOf(record))
}

/**
 * The records of an export, as its bytes come. @throws `memory_import_invalid` with the line for
 * what is no record, and what the bytes throw.
 */
export async function* readRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<MemoryRecord> {
  let line = 0
  for await (const text of textLines(bytes)) {
    line += 1
    if (text.trim() === '') continue
    yield recordOf(text, line)
  }
}

function recordOf(text: string, line: number): MemoryRecord {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw memoryImportInvalidError.create({ line, problem: 'it is not JSON' }, { cause: error })
  }
  const problems: readonly Problem[] = validate(recordSchema, value)
  const [first] = problems
  if (first) throw memoryImportInvalidError.create({ line, problem: `${first.path} ${first.message}` })
  if (!isWithin(value, maxDepth)) throw memoryImportInvalidError.create({ line, problem: `it nests more than ${maxDepth} levels deep` })
  return value as MemoryRecord
}

const isWithin = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' || value === null || (depth > 0 && Object.values(value).every((member) => isWithin(member, depth - 1)))

async function* textLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let line = 1
  const decoded = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch (error) {
      throw memoryImportInvalidError.create({ line, problem: 'it is not UTF-8' }, { cause: error })
    }
  }
  for await (const chunk of bytes) {
    const parts = (rest + decoded(chunk)).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      line += 1
      yield part
    }
    if (rest.length > limits.maxLineLength)
      throw memoryImportInvalidError.create({ line, problem: `it has more than ${limits.maxLineLength} characters` })
  }
  rest += decoded()
  if (rest !== '') yield rest
}
