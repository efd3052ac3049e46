import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto'
import kdbxweb, { type Kdbx, type KdbxContext, type KdbxCredentials, type KdbxHeader } from 'kdbxweb'
import type { DerivedKey, KeyCostLimits } from '../protocol.js'
import { blockKey, readHashedBlocks, readHmacBlocks } from './block-streams.js'
import { inflate, maxXmlBytes, parseXml } from './check-xml.js'
import { deriveKey } from './derive-key.js'
import { readKeyParameters } from './key-parameters.js'
import { invalid, wrongCredentials } from './problem.js'

/** XML and attachments of a file, decompressed. */
const maxContentBytes = 128 * 1_024 * 1_024

/** What a file is opened with. */
export interface Opening {
  readonly credentials: KdbxCredentials
  readonly limits: KeyCostLimits
  readonly derivedKey?: DerivedKey | undefined
}

/** An open database. */
export interface OpenDatabase {
  readonly kdbx: Kdbx
  readonly derivedKey: DerivedKey
  /** The hash of the credentials: a secret that only those who may open the file have. */
  readonly credentialsHash: Uint8Array
}

/**
 * Reads a file of KDBX 3.1, 4.0 or 4.1. The cost of the key is checked before it is derived,
 * checksums before anything is decrypted where the format has them. @throws `vault_content_invalid`,
 * `vault_unauthorized`.
 */
export async function openDatabase(bytes: Uint8Array, { credentials, limits, derivedKey: known }: Opening): Promise<OpenDatabase> {
  const file = Buffer.from(bytes)
  const kdbx = new kdbxweb.Kdbx()
  const { ctx } = new kdbxweb.KdbxFormat(kdbx)
  kdbx.credentials = credentials
  kdbx.header = readHeader(file, ctx)
  const end = kdbx.header.endPos ?? 0
  const header = file.subarray(0, end)
  const body = file.subarray(end)
  if (kdbx.header.versionMajor === 4) checkHeader(header, body)
  const parameters = readKeyParameters(kdbx.header, limits)
  const credentialsHash = new Uint8Array(await credentials.getHash())
  const derivedKey = await deriveKey(credentialsHash, parameters, known)
  const xml =
    kdbx.header.versionMajor === 4
      ? openVersion4({ header, body, ctx, key: derivedKey.key })
      : openVersion3({ body, header: kdbx.header, key: derivedKey.key })
  await loadXml(kdbx, ctx, xml)
  const { headerHash } = kdbx.meta
  if (kdbx.header.versionMajor === 3 && headerHash !== undefined && !sha256(header).equals(new Uint8Array(headerHash)))
    throw invalid('its header was changed')
  return { kdbx, derivedKey, credentialsHash }
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

function readHeader(file: Buffer, context: KdbxContext): KdbxHeader {
  const signature = file.length < 12 ? '' : file.subarray(0, 8).toString('hex')
  if (signature === '03d9a29a65fb4bb5') throw invalid('it is a KeePass 1 file (KDB); save it as KDBX')
  if (signature !== '03d9a29a67fb4bb5') throw invalid('it is not a KDBX file')
  const [minor, major] = [file.readUInt16LE(8), file.readUInt16LE(10)]
  if (!(major === 3 && minor <= 1) && !(major === 4 && minor <= 1))
    throw invalid(`it is in version ${major}.${minor} of the format; 3.1, 4.0 and 4.1 are known`)
  let header: KdbxHeader
  try {
    header = kdbxweb.KdbxHeader.read(new kdbxweb.BinaryStream(bufferOf(file)), context)
  } catch {
    throw invalid('its header is damaged')
  }
  if ((header.endPos ?? 0) > file.length || header.masterSeed?.byteLength !== 32) throw invalid('its header is damaged')
  return header
}

/** A checksum of the header, against damage; that against changes needs the key. */
function checkHeader(header: Buffer, body: Buffer): void {
  if (body.length < 64) throw invalid('it is damaged: it ends too early')
  if (!sha256(header).equals(body.subarray(0, 32))) throw invalid('its header is damaged: the checksum does not fit')
}

function openVersion4(parts: {
  readonly header: Buffer
  readonly body: Buffer
  readonly ctx: KdbxContext
  readonly key: Uint8Array
}): string {
  const { header, body, ctx, key } = parts
  const { masterSeed = new ArrayBuffer(0), compression } = ctx.kdbx.header
  const seed = new Uint8Array(masterSeed)
  const hmacKey = createHash('sha512').update(seed).update(key).update(Uint8Array.of(1)).digest()
  const hmac = createHmac('sha256', blockKey(hmacKey, 0xffff_ffff_ffff_ffffn)).update(header).digest()
  if (!timingSafeEqual(hmac, body.subarray(32, 64))) throw wrongCredentials()
  const decrypted = decrypt(readHmacBlocks(body.subarray(64), hmacKey), ctx.kdbx.header, sha256(seed, key))
  if (decrypted === undefined) throw invalid('it is damaged: it cannot be decrypted')
  const content = compression === kdbxweb.Consts.CompressionAlgorithm.GZip ? inflate(decrypted, maxContentBytes) : decrypted
  const stream = new kdbxweb.BinaryStream(bufferOf(content))
  try {
    ctx.kdbx.header.readInnerHeader(stream, ctx)
  } catch {
    throw invalid('its inner header is damaged')
  }
  return textOf(content.subarray(stream.pos))
}

/** The start bytes alone tell whether the key fits, so a damaged beginning looks like a wrong password. */
function openVersion3({ body, header, key }: { readonly body: Buffer; readonly header: KdbxHeader; readonly key: Uint8Array }): string {
  const { masterSeed = new ArrayBuffer(0), streamStartBytes = new ArrayBuffer(0), compression } = header
  const start = new Uint8Array(streamStartBytes)
  if (start.length !== 32) throw invalid('its header is damaged')
  const decrypted = decrypt(body, header, sha256(new Uint8Array(masterSeed), key))
  if (decrypted === undefined || decrypted.length < start.length || !timingSafeEqual(decrypted.subarray(0, start.length), start))
    throw wrongCredentials()
  const content = readHashedBlocks(decrypted.subarray(start.length))
  return textOf(compression === kdbxweb.Consts.CompressionAlgorithm.GZip ? inflate(content, maxContentBytes) : content)
}

/** `undefined` if the padding does not fit. */
function decrypt(bytes: Buffer, header: KdbxHeader, key: Uint8Array): Buffer | undefined {
  const { CipherId } = kdbxweb.Consts
  const cipher = header.dataCipherUuid?.toString()
  const vector = new Uint8Array(header.encryptionIV ?? new ArrayBuffer(0))
  if (cipher !== CipherId.Aes && cipher !== CipherId.ChaCha20)
    throw invalid('it is encrypted with a cipher that is not known; AES-256 and ChaCha20 are')
  if (vector.length !== (cipher === CipherId.Aes ? 16 : 12)) throw invalid('its header is damaged')
  if (cipher === CipherId.ChaCha20) return createDecipheriv('chacha20', key, Buffer.concat([Buffer.alloc(4), vector])).update(bytes)
  try {
    const decipher = createDecipheriv('aes-256-cbc', key, vector)
    return Buffer.concat([decipher.update(bytes), decipher.final()])
  } catch {
    // A padding that does not fit says no more than that.
    return undefined
  }
}

function textOf(bytes: Buffer): string {
  if (bytes.length > maxXmlBytes) throw invalid(`its entries are larger than ${maxXmlBytes / 1_024 / 1_024} MiB`)
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}

async function loadXml(kdbx: Kdbx, context: KdbxContext, xml: string): Promise<void> {
  const { protectedStreamKey = new ArrayBuffer(0), crsAlgorithm = 0 } = kdbx.header
  const document = parseXml(xml)
  try {
    const salts = await kdbxweb.ProtectSaltGenerator.create(protectedStreamKey, crsAlgorithm)
    kdbxweb.XmlUtils.setProtectedValues(document.documentElement, salts)
    kdbx.xml = document
    await kdbx.loadFromXml(context)
    kdbx.xml = undefined
  } catch {
    // What the library says may quote the content.
    throw invalid('its XML is not that of a KeePass database')
  }
  if (kdbx.groups[0] === undefined) throw invalid('it has no group')
}

const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer
