import { crc32 } from 'node:zlib'

const numbers = (...parts: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer => {
  const bytes = Buffer.alloc(parts.reduce((sum, [size]) => sum + size, 0))
  let at = 0
  for (const [size, value] of parts) at = bytes.writeUIntLE(value, at, size)
  return bytes
}

/** A zip archive of texts, without compression. Names are taken as they are. */
export function storedZip(entries: readonly { readonly name: string; readonly content: string }[]): Uint8Array {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const content = Buffer.from(entry.content)
    const about = numbers(
      [2, 0x800],
      [2, 0],
      [2, 0],
      [2, 0x21],
      [4, crc32(content)],
      [4, content.length],
      [4, content.length],
      [2, name.length],
      [2, 0],
    )
    const head = Buffer.concat([numbers([4, 0x04034b50], [2, 20]), about, name])
    central.push(
      Buffer.concat([numbers([4, 0x02014b50], [2, 20], [2, 20]), about, numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), name]),
    )
    local.push(head, content)
    offset += head.length + content.length
  }
  const directory = Buffer.concat(central)
  const count = entries.length
  return Buffer.concat([
    ...[...local, directory],
    numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, directory.length], [4, offset], [2, 0]),
  ])
}
