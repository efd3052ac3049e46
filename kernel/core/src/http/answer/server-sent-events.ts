import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'

const frames = new WeakMap<ServerSentEvent, Buffer>()

/**
 * The bytes of one event. For a frozen event they are made once, however many streams it is sent
 * to, and kept as long as the event. They must not be changed.
 */
export function frameOf(event: ServerSentEvent): Buffer {
  const known = frames.get(event)
  if (known) return known
  const frame = Buffer.from(formatServerSentEvent(event))
  if (Object.isFrozen(event)) frames.set(event, frame)
  return frame
}

/**
 * One event in the wire format of server-sent events. Data with line breaks becomes several lines.
 * @throws a `TypeError` if `id` or `event` has a line break, which they cannot carry.
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
  if (/[\r\n\0]/.test(text)) throw new TypeError(`The ${field} of a server-sent event must not contain a line break or NUL.`)
  return text
}
