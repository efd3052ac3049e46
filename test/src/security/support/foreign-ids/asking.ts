import type { DocumentKind } from './kinds.js'
import { type MarkedRequest, requestWith } from './requests.js'

/** An answer without what differs from request to request: the time, the id of the request, and the ids that were sent. */
export interface SeenAnswer {
  readonly status: number
  readonly text: string
}

let sent = 0

/** Each request comes from an address of its own, as a trusted proxy says: else the limits of addresses answer first. */
function nextAddress(): string {
  sent += 1
  return `198.18.${(sent >> 8) & 255}.${sent & 255}`
}

/** Sends a request with these ids and credentials. Of an event stream nothing is read. */
export async function ask(
  url: string,
  request: MarkedRequest,
  idOf: (kind: DocumentKind) => string,
  credentials: Readonly<Record<string, string>>,
): Promise<SeenAnswer> {
  const { target, body, headers } = requestWith(request, idOf)
  const controller = new AbortController()
  const answer = await fetch(`${url}${target}`, {
    method: request.operation.method,
    signal: controller.signal,
    redirect: 'manual' as const,
    headers: { 'x-forwarded-for': nextAddress(), ...headers, ...credentials },
    ...(body !== undefined && { body }),
  })
  const isStream = answer.status === 200 && answer.headers.get('content-type')?.startsWith('text/event-stream') === true
  const content = isStream ? 'a stream' : await answer.text()
  if (isStream) controller.abort()
  const kept = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
  const whole = JSON.stringify([kept, content.replace(/"request_id":"[^"]+"/, '"request_id":""')])
  return { status: answer.status, text: withoutIds(whole, request.kinds, idOf) }
}

function withoutIds(text: string, kinds: readonly DocumentKind[], idOf: (kind: DocumentKind) => string): string {
  let without = text
  for (const kind of kinds) for (const id of [idOf(kind), encodeURIComponent(idOf(kind))]) without = without.replaceAll(id, `‹${kind}›`)
  return without
}
