import type { JsonObject } from '@agent-service/sdk'
import { bytesOf, type FaultWire } from '@agent-service/sdk/testing'

/** How one protocol family writes its answers. */
export interface FamilyWire extends FaultWire {
  /** The protocol's id. */
  readonly protocol: string
  readonly adapter: string
  /** A complete stream that calls {@link calledTool} once. */
  readonly call: Uint8Array
}

/** The tool that answers call, and its arguments. */
export const calledTool = { name: 'tool__unsafe', arguments: { hangs: 0 } }
/** The arguments as text, and their first half. */
export const argumentsText = JSON.stringify(calledTool.arguments)
export const halfOfArguments = argumentsText.slice(0, 6)

/** Documents as server-sent events, named by their type if they have one. */
export const sseOf = (...documents: readonly JsonObject[]): Buffer =>
  Buffer.concat(
    documents.map((data) => {
      const name = typeof data['type'] === 'string' ? `event: ${data['type']}\n` : ''
      return bytesOf(`${name}data: ${JSON.stringify(data)}\n\n`)
    }),
  )

export const doneLine = bytesOf('data: [DONE]\n\n')
