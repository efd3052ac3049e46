import { crc32 } from 'node:zlib'
import { argumentsText, calledTool, type FamilyWire, halfOfArguments } from './family-wire.js'

/** A frame of the binary event stream, with both of its checksums. */
function frame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const head = Buffer.concat(
    Object.entries({ ...headers, ':content-type': 'application/json' }).map(([name, value]) => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(Buffer.byteLength(value))
      return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)])
    }),
  )
  const body = Buffer.from(payload)
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(head.length + body.length + 16, 0)
  prelude.writeUInt32BE(head.length, 4)
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
  const message = Buffer.concat([prelude, head, body])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(message))
  return Buffer.concat([message, checksum])
}
const event = (type: string, data: unknown): Buffer => frame({ ':event-type': type, ':message-type': 'event' }, JSON.stringify(data))
const exception = (type: string, words: string): Buffer =>
  frame({ ':exception-type': type, ':message-type': 'exception' }, JSON.stringify({ message: words }))
const delta = (value: unknown): Buffer => event('contentBlockDelta', { contentBlockIndex: 0, delta: value })
const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 }
const ends = (stopReason: string): Buffer =>
  Buffer.concat([
    event('contentBlockStop', { contentBlockIndex: 0 }),
    event('messageStop', { stopReason }),
    event('metadata', { usage, metrics: { latencyMs: 1 } }),
  ])
const callBegins = Buffer.concat([
  event('messageStart', { role: 'assistant' }),
  event('contentBlockStart', { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'tooluse_1', name: calledTool.name } } }),
])
const text = Buffer.concat([event('messageStart', { role: 'assistant' }), delta({ text: 'Hello, ' })])

/** Bedrock's Converse. */
export const bedrockWire: FamilyWire = {
  protocol: 'amazon-bedrock-converse',
  adapter: 'adapter_delta',
  contentType: 'application/vnd.amazon.eventstream',
  text,
  end: Buffer.concat([delta({ text: 'world' }), ends('end_turn')]),
  halfCall: Buffer.concat([callBegins, delta({ toolUse: { input: halfOfArguments } })]),
  call: Buffer.concat([callBegins, delta({ toolUse: { input: argumentsText } }), ends('tool_use')]),
  overloaded: exception('serviceUnavailableException', 'Try again later'),
  noMoney: exception('serviceQuotaExceededException', 'Your account has no quota left'),
  errorBody: (words) => JSON.stringify({ message: words }),
  whole: JSON.stringify({
    output: { message: { role: 'assistant', content: [{ text: 'Hello, world' }] } },
    stopReason: 'end_turn',
    usage,
  }),
}

/** The complete answer with one flipped bit in its second delta, so that its checksum is wrong. */
export const damagedAnswer: Buffer = Buffer.concat([text, bedrockWire.end])
damagedAnswer.writeUInt8(0x76, damagedAnswer.indexOf('world'))
