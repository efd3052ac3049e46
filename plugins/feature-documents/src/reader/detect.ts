import { type DocumentKind, kindByMediaType, kindByName, mediaTypes } from '../kinds.js'
import { type Archive, openArchive } from './archives/archive.js'
import { attributeOf, readXml } from './archives/read-xml.js'
import { typeUnknown, unreadable } from './common/failures.js'
import { decodeText } from './formats/decode-text.js'

/** What a document is. */
export interface Detected {
  readonly kind: DocumentKind
  readonly mediaType: string
}

const headBytes = 4_096
/** A larger text is not parsed only to know whether it is JSON. */
const maxJsonBytes = 4 * 1024 * 1024
const officeTypes: readonly (readonly [string, DocumentKind])[] = [
  ['wordprocessingml.', 'docx'],
  ['ms-word.document.macroEnabled', 'docx'],
  ['spreadsheetml.', 'xlsx'],
  ['ms-excel.sheet.macroEnabled', 'xlsx'],
  ['presentationml.', 'pptx'],
  ['ms-powerpoint.presentation.macroEnabled', 'pptx'],
]
const mimetypes: Readonly<Record<string, DocumentKind>> = {
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.text-template': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.spreadsheet-template': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.presentation-template': 'odp',
  'application/epub+zip': 'epub',
}

/**
 * What a document is: its content decides, then, among texts, its name, then what was stated.
 * @throws a `Failure` for a type that is not read.
 */
export async function detect(source: {
  readonly bytes: Uint8Array
  readonly name: string | undefined
  readonly mediaType: string | undefined
}): Promise<Detected> {
  const { bytes, name, mediaType } = source
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, headBytes)).toString('latin1')
  if (head.slice(0, 1_024).includes('%PDF-')) return known('pdf')
  if (head.startsWith('{\\rtf')) return known('rtf')
  if (head.startsWith('PK\x03\x04')) return known(await kindOfArchive(await openArchive(bytes)))
  if (head.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return compound(bytes)
  // The mark of UTF-16 looks like the beginning of a sound.
  if (/^(?:\xff\xfe|\xfe\xff|\xef\xbb\xbf)/.test(head)) return kindOfText(bytes, name, mediaType)
  const { fileTypeFromBuffer } = await import('file-type')
  // A beginning that the library cannot follow is of no type that it knows.
  const found = await fileTypeFromBuffer(bytes.subarray(0, headBytes)).catch(() => undefined)
  if (found?.mime.startsWith('image/') === true) return { kind: 'image', mediaType: found.mime }
  if (found && !/^(?:text\/|application\/xml$)/.test(found.mime)) throw typeUnknown(found.mime)
  return kindOfText(bytes, name, mediaType)
}

const known = (kind: DocumentKind): Detected => ({ kind, mediaType: mediaTypes[kind] })

async function kindOfArchive(archive: Archive): Promise<DocumentKind> {
  const mimetype = (await archive.read('mimetype'))?.subarray(0, 200).toString('latin1').trim()
  if (mimetype !== undefined && Object.hasOwn(mimetypes, mimetype)) return mimetypes[mimetype] ?? 'odt'
  const types = await archive.open('[Content_Types].xml')
  let kind: DocumentKind | undefined
  if (types)
    await readXml(types, {
      open(_, attributes) {
        const type = attributeOf(attributes, 'ContentType') ?? ''
        if (/main\+xml$/.test(type)) kind ??= officeTypes.find(([part]) => type.includes(part))?.[1]
      },
    })
  if (!kind) throw typeUnknown(mimetype !== undefined && /^[\w.+/-]{3,100}$/.test(mimetype) ? mimetype : 'application/zip')
  return kind
}

/** The container of older Office documents, and of encrypted ones of today. */
function compound(bytes: Uint8Array): never {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (content.includes(Buffer.from('EncryptedPackage', 'utf16le'))) throw unreadable('it is encrypted')
  throw typeUnknown('application/x-cfb')
}

function kindOfText(bytes: Uint8Array, name: string | undefined, stated: string | undefined): Detected {
  const sample = decodeText(bytes.subarray(0, headBytes)).text
  if (looksBinary(sample)) throw typeUnknown('application/octet-stream')
  const beginning = sample.trimStart()
  if (/^(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype\s+html|html[\s>])/i.test(beginning)) return known('html')
  if (/^(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)?(?:<!doctype\s+svg[^>]{0,500}>\s*)?<svg[\s>]/i.test(beginning))
    return { kind: 'image', mediaType: 'image/svg+xml' }
  if (isMessage(beginning)) return known('email')
  const kind = kindByName(name) ?? kindByMediaType(stated)
  // A name or a statement may tell one text from another; it cannot make a text something else.
  if (kind === 'html' || kind === 'csv' || kind === 'email' || kind === 'markdown') return known(kind)
  const looksLikeJson = /^[[{]/.test(beginning)
  return known(looksLikeJson && (bytes.byteLength > maxJsonBytes ? kind === 'json' : isJson(bytes)) ? 'json' : 'text')
}

/** The header of a message: lines of fields, among them those that every message has. */
function isMessage(text: string): boolean {
  const header = text.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const lines = header.split(/\r?\n/)
  const fields = lines.filter((line) => /^[!-9;-~]{1,100}:/.test(line)).map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
  const others = lines.filter((line) => !/^(?:[!-9;-~]{1,100}:|[ \t]|From )/.test(line))
  const marks = ['from', 'to', 'date', 'subject', 'message-id', 'received', 'mime-version', 'return-path']
  return others.length === 0 && fields.includes('from') && fields.filter((field) => marks.includes(field)).length >= 3
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(decodeText(bytes).text)
    return true
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error
    return false
  }
}

/** Texts have hardly any control characters. */
function looksBinary(sample: string): boolean {
  let strange = 0
  for (let index = 0; index < sample.length; index += 1) {
    const code = sample.charCodeAt(index)
    if (code === 0) return true
    if (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 27) strange += 1
  }
  return strange > sample.length / 100
}
