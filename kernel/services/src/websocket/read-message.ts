import { parseJsonBytes } from '@agent-service/kernel-core/http/body'
import { validate, wellFormedValue } from '@agent-service/sdk'
import type { WebSocketMessage, WebSocketMessages } from '@agent-service/sdk/contracts/websocket-route'
import { cutReason, type Ending, endings } from './close-code.js'

/**
 * Reads a frame as a message of the route, or returns the ending if it is not valid. `maxJsonDepth`:
 * the maximum nesting.
 */
export function readMessage(
  bytes: Buffer,
  isBinary: boolean,
  messages: WebSocketMessages,
  maxJsonDepth: number,
): { readonly message: WebSocketMessage } | { readonly ending: Ending } {
  if (messages.kind === 'raw') return { message: isBinary ? { kind: 'binary', bytes } : { kind: 'text', text: bytes.toString('utf8') } }
  if (isBinary) return { ending: endings.wrongKind }
  const parsed = parse(bytes, maxJsonDepth)
  if (!parsed) return { ending: endings.invalidJson }
  const [problem] = validate(messages.inbound, parsed.json)
  if (problem) return { ending: { code: 1008, reason: cutReason(`invalid_message: ${problem.path} ${problem.message}`) } }
  return { message: { kind: 'json', json: parsed.json as Extract<WebSocketMessage, { kind: 'json' }>['json'] } }
}

function parse(bytes: Buffer, maxJsonDepth: number): { readonly json: unknown } | undefined {
  try {
    // Half a surrogate pair, which nothing can store, becomes U+FFFD: ending the connection for it would lose more.
    return { json: wellFormedValue(parseJsonBytes(bytes, { maxDepth: maxJsonDepth, maxValues: Number.POSITIVE_INFINITY })) }
  } catch {
    return undefined
  }
}
