import { crc32 } from 'node:zlib'

/** A frame with text headers, as the service sends them. */
export function encodeFrame(headers: Readonly<Record<string, string>>, payload: Uint8Array | string): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const [key, text] = [Buffer.from(name), Buffer.from(value)]
      const length = Buffer.alloc(2)
      length.writeUInt16BE(text.length)
      return Buffer.concat([Buffer.from([key.length]), key, Buffer.from([7]), length, text])
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

/** An event of a Converse stream. */
export const eventFrame = (type: string, data: unknown): Buffer =>
  encodeFrame({ ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' }, JSON.stringify(data))

/** An exception of a Converse stream. */
export const exceptionFrame = (type: string, data: unknown): Buffer =>
  encodeFrame({ ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' }, JSON.stringify(data))

/** An event `{name: data}` for each document. */
export const framesOf = (documents: readonly unknown[]): Buffer =>
  Buffer.concat(
    documents.flatMap((document) =>
      Object.entries(document as Readonly<Record<string, unknown>>).map(([name, data]) => eventFrame(name, data)),
    ),
  )
