import { skillRefusedError } from './errors.js'

/** All bytes of a body. @throws `skill_refused` beyond `maxBytes`; more is not read. */
export async function readBody(body: AsyncIterable<Uint8Array> | undefined, maxBytes: number): Promise<Uint8Array> {
  if (!body) throw new TypeError('An upload has no body.')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) throw skillRefusedError.create({ reason: `it has more than ${maxBytes} bytes` })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
