import { crc32, deflateRawSync } from 'node:zlib'

/** A file of an archive. */
export interface ZipEntry {
  readonly name: string
  readonly bytes: Buffer | string
  /** What the archive says of it instead of the truth. */
  readonly says?: { readonly size?: number }
}

/** A ZIP archive, deflated. */
export function zipFile(entries: readonly ZipEntry[]): Buffer {
  const pieces: Buffer[] = []
  const index: Buffer[] = []
  let offset = 0
  for (const { name, bytes, says = {} } of entries) {
    const content = Buffer.from(bytes as string)
    const packed = deflateRawSync(content)
    const title = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(says.size ?? content.length, 18)
    common.writeUInt16LE(title.length, 22)
    pieces.push(Buffer.from('PK\x03\x04', 'latin1'), common, title, packed)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    index.push(Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([20, 0]), common, rest, title)
    offset += 30 + title.length + packed.length
  }
  const directory = Buffer.concat(index)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, directory, end])
}
