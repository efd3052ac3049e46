import { parentPort, workerData } from 'node:worker_threads'
import { createLineMatcher, type LineMatcher, UnusableQueryError } from './line-matcher.js'
import type { FoundLine, SearchAnswer, SearchBeginning, SearchJob, SearchQuery } from './search-protocol.js'

const decoder = new TextDecoder('utf-8', { fatal: true })
/** Of a longer line, only the beginning is searched. */
const maxLineLength = 20_000
const maxShownLength = 300

/** Searches files line by line, in its own thread: even linear work would block the event loop. */
begin(workerData as SearchQuery)

function begin(query: SearchQuery): void {
  const send = (message: SearchBeginning | SearchAnswer): void => parentPort?.postMessage(message)
  try {
    const matcher = createLineMatcher(query)
    parentPort?.on('message', (job: SearchJob) => send(search(matcher, job)))
    send({})
  } catch (error) {
    if (!(error instanceof UnusableQueryError)) throw error
    send({ problem: error.message })
  }
}

function search(matcher: LineMatcher, { bytes, limit }: SearchJob): SearchAnswer {
  if (bytes.subarray(0, 8_192).includes(0)) return undefined
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return undefined
  }
  const found: FoundLine[] = []
  let line = 0
  for (let from = 0; from <= text.length && found.length < limit; ) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    line += 1
    const content = text.slice(from, Math.min(to, from + maxLineLength)).replace(/\r$/, '')
    const at = matcher(content)
    if (at !== -1) found.push({ line, text: around(content, at) })
    if (end === -1) break
    from = end + 1
  }
  return found
}

function around(line: string, index: number): string {
  if (line.length <= maxShownLength) return line
  const start = Math.max(0, Math.min(index - 100, line.length - maxShownLength))
  const part = line.slice(start, start + maxShownLength).replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '…' : ''}${part}${start + maxShownLength < line.length ? '…' : ''}`
}
