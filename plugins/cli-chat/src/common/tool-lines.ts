import type { JsonObject } from '@agent-service/sdk'

/** A tool call in one line. */
export const callLine = ({ name, purpose, ...call }: JsonObject): string =>
  `→ ${String(name)} ${JSON.stringify(call['arguments'] ?? {})}  ${String(purpose ?? '')}`.trimEnd()

/** A tool result in one line. */
export const resultLine = ({ name, content }: JsonObject): string => `← ${String(name ?? '')} ${oneLine(content)}`

const maxResultLength = 160

function oneLine(content: unknown): string {
  const parts = Array.isArray(content) ? (content as readonly JsonObject[]) : []
  const text = parts.map((part) => (typeof part['text'] === 'string' ? part['text'] : `[${String(part['type'])}]`)).join(' ')
  const line = [...text.replace(/\s+/g, ' ')]
  return line.length > maxResultLength ? `${line.slice(0, maxResultLength).join('')}…` : line.join('')
}
