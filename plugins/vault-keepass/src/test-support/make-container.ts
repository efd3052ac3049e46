import { createCipheriv, createHash, createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import kdbxweb from 'kdbxweb'
import { blockKey } from '../worker/block-streams.js'
import { deriveKey } from '../worker/derive-key.js'
import { readKeyParameters } from '../worker/key-parameters.js'
import { testPassword } from './make-database.js'

/** A KDBX 4 file around any XML, or around `compressed` bytes as they are: what no program writes. */
export async function makeContainer({ xml, compressed }: { readonly xml?: string; readonly compressed?: Uint8Array }): Promise<Uint8Array> {
  const kdbx = new kdbxweb.Kdbx()
  const { ctx } = new kdbxweb.KdbxFormat(kdbx)
  const header = kdbxweb.KdbxHeader.create()
  header.setKdf(kdbxweb.Consts.KdfId.Aes)
  header.kdfParameters?.set('R', kdbxweb.VarDictionary.ValueType.UInt64, new kdbxweb.Int64(1))
  header.generateSalts()
  const outer = new kdbxweb.BinaryStream()
  header.write(outer)
  const head = Buffer.from(outer.getWrittenBytes())
  const inner = new kdbxweb.BinaryStream()
  header.writeInnerHeader(inner, ctx)
  const content = compressed ?? gzipSync(Buffer.concat([Buffer.from(inner.getWrittenBytes()), Buffer.from(xml ?? '', 'utf8')]))
  const credentials = new kdbxweb.Credentials(kdbxweb.ProtectedValue.fromString(testPassword))
  const limits = { maxMemoryKiB: 1, maxMemoryPassesKiB: 1, maxRounds: 1 }
  const { key } = await deriveKey(new Uint8Array(await credentials.getHash()), readKeyParameters(header, limits), undefined)
  return encrypt(head, content, { header, key })
}

function encrypt(
  head: Buffer,
  content: Uint8Array,
  { header, key }: { readonly header: InstanceType<typeof kdbxweb.KdbxHeader>; readonly key: Uint8Array },
): Uint8Array {
  const seed = new Uint8Array(header.masterSeed ?? new ArrayBuffer(0))
  const hmacKey = createHash('sha512').update(seed).update(key).update(Uint8Array.of(1)).digest()
  const cipherKey = createHash('sha256').update(seed).update(key).digest()
  const cipher = createCipheriv('aes-256-cbc', cipherKey, new Uint8Array(header.encryptionIV ?? new ArrayBuffer(0)))
  const data = Buffer.concat([cipher.update(content), cipher.final()])
  const headHmac = createHmac('sha256', blockKey(hmacKey, 0xffff_ffff_ffff_ffffn)).update(head).digest()
  const blocks = [data, Buffer.alloc(0)].map((block, index) => {
    const numbers = Buffer.alloc(12)
    numbers.writeBigUInt64LE(BigInt(index))
    numbers.writeUInt32LE(block.length, 8)
    const hmac = createHmac('sha256', blockKey(hmacKey, BigInt(index)))
      .update(numbers)
      .update(block)
      .digest()
    return Buffer.concat([hmac, numbers.subarray(8), block])
  })
  return Buffer.concat([head, createHash('sha256').update(head).digest(), headHmac, ...blocks])
}

/** A database around the content of its root group. */
export const documentOf = (group: string, meta = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?><KeePassFile><Meta>${meta}</Meta><Root><Group><UUID>AAAAAAAAAAAAAAAAAAAAAQ==</UUID><Name>Root</Name>${group}</Group></Root></KeePassFile>`
