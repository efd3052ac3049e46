import { crc32 } from 'node:zlib'

/**
 * Reads the end, the list and the files of an archive that is not compressed. @throws Error for a
 * wrong sum.
 */
export function readZip(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  if (end === -1) throw new Error('The archive has no end.')
  const files = new Map<string, Buffer>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [sum, size] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20)]
    const lengths = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30), bytes.readUInt16LE(at + 32)] as const
    const name = bytes.toString('utf8', at + 46, at + 46 + lengths[0])
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = bytes.subarray(start, start + size)
    if (crc32(content) !== sum) throw new Error(`The sum of ${name} is wrong.`)
    if (files.has(name)) throw new Error(`${name} is there twice.`)
    files.set(name, content)
    at += 46 + lengths[0] + lengths[1] + lengths[2]
  }
  return files
}

/** The records of a file with one on each line. */
export const recordsOf = (
  file: Buffer | undefined,
): readonly { readonly path: string; readonly data: Readonly<Record<string, unknown>> }[] =>
  (file?.toString('utf8') ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly path: string; readonly data: Readonly<Record<string, unknown>> })
