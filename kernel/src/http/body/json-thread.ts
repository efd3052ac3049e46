/** The program of the thread that parses and validates large bodies. */
import { parentPort } from 'node:worker_threads'
import { malformedJsonError, nestingTooDeepError } from '../errors.js'
import { cutIntoBatches, type JsonPiece } from './json-pieces.js'
import type { FromJsonThread, JsonRefusal, ToJsonThread } from './json-thread-messages.js'
import { readJsonBytes } from './read-json-bytes.js'

/** Values on their way out, by read. */
const leaving = new Map<number, Iterator<readonly JsonPiece[]>>()

const tell = (message: FromJsonThread): void => parentPort?.postMessage(message)

parentPort?.on('message', (message: ToJsonThread) => {
  if (message.kind === 'forget') leaving.delete(message.id)
  else if (message.kind === 'next') sendNext(message.id)
  else read(message)
})

function read(message: ToJsonThread & { readonly kind: 'read' }): void {
  const { id, chunks, schema, maximumDepth } = message
  try {
    const { body, problems } = readJsonBytes(Buffer.concat(chunks), schema, maximumDepth)
    if (problems.length > 0) {
      tell({ kind: 'problems', id, problems: problems.slice(0, 100) })
      return
    }
    leaving.set(id, cutIntoBatches(body))
    sendNext(id)
  } catch (error) {
    tell({ kind: 'refused', id, refusal: refusalOf(error) })
  }
}

function sendNext(id: number): void {
  const batches = leaving.get(id)
  if (!batches) return
  const result = batches.next()
  const last = result.done === true
  if (last) leaving.delete(id)
  tell({ kind: 'batch', id, pieces: last ? [] : result.value, last })
}

function refusalOf(error: unknown): JsonRefusal {
  if (malformedJsonError.isInstance(error)) return { code: 'malformed_json', reason: String(error.details['reason']) }
  if (nestingTooDeepError.isInstance(error)) return { code: 'nesting_too_deep', limit: Number(error.details['limit']) }
  return { code: 'failed', message: error instanceof Error ? error.message : String(error) }
}
