import { once } from 'node:events'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { type Headers, pack } from 'tar-stream'

/** An entry of an archive, as a test wants it, however wrong. */
export interface TestEntry {
  readonly name: string
  readonly content?: Uint8Array | string
  /** For tar. Default: a file. */
  readonly type?: Headers['type']
  readonly linkname?: string
  /** The Unix mode of a zip entry, with its type. */
  readonly mode?: number
  /** Another name in the local header of a zip. */
  readonly localName?: string
  /** Another size than that of the content, in the headers of a zip. */
  readonly size?: number
  readonly encrypted?: boolean
  /** The bytes of the name in a zip, which does not say that they are UTF-8. */
  readonly rawName?: Uint8Array
  /** The system that made the zip; 3 is Unix, 0 is Windows. Default: 3. */
  readonly maker?: number
}

export const skillText = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it for ${name}.\n---\n\n# ${name}\n${more}`

const bytesOf = (content: Uint8Array | string = ''): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content

export async function tarGz(entries: readonly TestEntry[]): Promise<Uint8Array> {
  return gzipSync(await tar(entries))
}

export async function tar(entries: readonly TestEntry[]): Promise<Uint8Array> {
  const archive = pack()
  const chunks: Uint8Array[] = []
  archive.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = once(archive, 'end')
  for (const { name, content, type = 'file', linkname } of entries)
    archive.entry({ name, type, ...(linkname === undefined ? {} : { linkname }) }, Buffer.from(bytesOf(content)))
  archive.finalize()
  await ended
  return Buffer.concat(chunks)
}

/** A tar archive of so many empty files, and a real file before them. */
export async function manyFiles(first: TestEntry, count: number): Promise<Uint8Array> {
  const begin = Buffer.from(await tar([first])).subarray(0, -1_024)
  const block = Buffer.from(await tar([{ name: '0000000.md' }])).subarray(0, 512)
  const names = Buffer.alloc(count * 512)
  for (let index = 0; index < count; index += 1) {
    block.write(String(index).padStart(7, '0'), 0)
    block.fill(' ', 148, 156)
    const sum = block.reduce((total, byte) => total + byte, 0)
    block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    block.copy(names, index * 512)
  }
  return gzipSync(Buffer.concat([begin, names, Buffer.alloc(1_024)]), { level: 1 })
}

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

const empty = deflateRawSync('')

/** A zip written by hand, so that it can lie. */
export function zip(entries: readonly TestEntry[]): Uint8Array {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, content, mode = 0o100_644, localName = name, size, encrypted = false, rawName, maker = 3 } of entries) {
    const plain = bytesOf(content)
    const packed = plain.byteLength === 0 ? empty : deflateRawSync(plain)
    const flags = (rawName ? 0 : 0x800) | (encrypted ? 1 : 0)
    const common = Buffer.concat([u16(flags), u16(8), u16(0), u16(0x21), u32(crc32(plain)), u32(packed.length), u32(size ?? plain.length)])
    const own = Buffer.from(rawName ?? Buffer.from(localName))
    const head = Buffer.concat([u32(0x04034b50), u16(20), common, u16(own.length), u16(0), own])
    const listed = Buffer.from(rawName ?? Buffer.from(name))
    central.push(
      Buffer.concat([
        ...[u32(0x02014b50), u16((maker << 8) | 20), u16(20), common, u16(listed.length), u16(0), u16(0), u16(0), u16(0)],
        ...[u32(maker === 3 ? (mode << 16) >>> 0 : 0), u32(offset), listed],
      ]),
    )
    local.push(head, packed)
    offset += head.length + packed.length
  }
  const directory = Buffer.concat(central)
  const count = u16(Math.min(entries.length, 0xffff))
  return Buffer.concat([...local, directory, u32(0x06054b50), u16(0), u16(0), count, count, u32(directory.length), u32(offset), u16(0)])
}
