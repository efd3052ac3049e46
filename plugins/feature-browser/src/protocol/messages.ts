import type { JsonObject } from '@agent-service/sdk'

/** What a target of the browser is, as `Target.targetInfo` describes it. */
export interface TargetInfo {
  readonly targetId: string
  readonly type: string
  readonly title?: string
  readonly url?: string
  readonly openerId?: string
  readonly browserContextId?: string
}

/** A request that the browser holds; `responseStatusCode` is there once its answer has begun. */
export interface PausedRequest {
  readonly requestId: string
  readonly request: { readonly url: string; readonly method: string }
  readonly resourceType?: string
  readonly frameId?: string
  readonly responseStatusCode?: number
  readonly responseErrorReason?: string
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[]
}

/** A message from the browser: an answer to a command, or an event. */
export interface IncomingMessage {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: JsonObject
  readonly result?: JsonObject
  readonly error?: { readonly code?: number; readonly message?: string }
}

/** Reads a message. `undefined` for anything else, which is left out. */
export function readMessage(text: string): IncomingMessage | undefined {
  try {
    const read = JSON.parse(text) as unknown
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as IncomingMessage) : undefined
  } catch {
    return undefined
  }
}
