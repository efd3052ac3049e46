import { parentPort, workerData } from 'node:worker_threads'
import { expressionOf, type FoundLine, type SearchAnswer, type SearchJob, type SearchQuery } from './search-protocol.js'

/** Searches files line by line, in a thread of its own: an expression that takes for ever ends with its thread. */
const expression = expressionOf(workerData as SearchQuery)
const decoder = new TextDecoder('utf-8', { fatal: true })
/** Of a longer line, the beginning is looked at. */
const longestLine = 20_000
const longestShown = 300

parentPort?.on('message', (job: SearchJob) => parentPort?.postMessage(search(job)))

function search({ bytes, limit }: SearchJob): SearchAnswer {
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
    const content = text.slice(from, Math.min(to, from + longestLine)).replace(/\r$/, '')
    const match = expression.exec(content)
    if (match) found.push({ line, text: around(content, match.index) })
    if (end === -1) break
    from = end + 1
  }
  return found
}

function around(line: string, index: number): string {
  if (line.length <= longestShown) return line
  const start = Math.max(0, Math.min(index - 100, line.length - longestShown))
  const part = line.slice(start, start + longestShown).replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '…' : ''}${part}${start + longestShown < line.length ? '…' : ''}`
}
