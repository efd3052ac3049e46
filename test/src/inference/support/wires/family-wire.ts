import type { JsonObject } from '@agent-service/sdk'
import { bytesOf, type FaultWire } from '@agent-service/sdk/testing'

/** How one protocol family writes its answers. */
export interface FamilyWire extends FaultWire {
  /** The protocol's id. */
  readonly protocol: string
  readonly adapter: string
  /** A whole stream that asks for {@link calledTool} once. */
  readonly call: Uint8Array
}

/** The tool that answers ask for, and its arguments. */
export const calledTool = { name: 'tool__unsafe', arguments: { hangs: 0 } }
/** The arguments as text, and the first half of it. */
export const argumentsText = JSON.stringify(calledTool.arguments)
export const halfOfArguments = argumentsText.slice(0, 6)

/** Documents as server-sent events; with the name of their type where they have one. */
export const sseOf = (...documents: readonly JsonObject[]): Buffer =>
  Buffer.concat(
    documents.map((data) => {
      const name = typeof data['type'] === 'string' ? `event: ${data['type']}\n` : ''
      return bytesOf(`${name}data: ${JSON.stringify(data)}\n\n`)
    }),
  )

export const doneLine = bytesOf('data: [DONE]\n\n')
