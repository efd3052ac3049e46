import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'

/**
 * One event in the wire format of server-sent events. Text with line breaks becomes several lines; a field that cannot hold a line break
 * (`id`, `event`) is refused with one.
 */
export function formatServerSentEvent(event: ServerSentEvent): string {
  if ('comment' in event)
    return `${linesOf(event.comment)
      .map((line) => `: ${line}`)
      .join('\n')}\n\n`
  const fields: string[] = []
  if (event.id !== undefined) fields.push(`id: ${singleLine('id', event.id)}`)
  if (event.event !== undefined) fields.push(`event: ${singleLine('event', event.event)}`)
  if (event.retry !== undefined) fields.push(`retry: ${Math.max(0, Math.round(event.retry))}`)
  for (const line of linesOf(event.data)) fields.push(`data: ${line}`)
  return `${fields.join('\n')}\n\n`
}

const linesOf = (text: string): readonly string[] => text.split(/\r\n|\r|\n/)

function singleLine(field: string, text: string): string {
  if (/[\r\n\0]/.test(text)) throw new TypeError(`The ${field} of a server-sent event may have no line break or NUL.`)
  return text
}
