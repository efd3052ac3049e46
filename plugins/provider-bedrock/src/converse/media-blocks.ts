import type { JsonObject } from '@agent-service/sdk'
import type { FilePart, ImagePart } from '@agent-service/sdk/contracts/provider-adapter'
import { callFailure } from '@agent-service/sdk/provider-kit'

const imageFormats: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

const documentFormats: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/html': 'html',
  'text/markdown': 'md',
}

const videoFormats: Readonly<Record<string, string>> = {
  'video/x-matroska': 'mkv',
  'video/quicktime': 'mov',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/x-flv': 'flv',
  'video/mpeg': 'mpeg',
  'video/x-ms-wmv': 'wmv',
  'video/3gpp': 'three_gp',
}

/** The block of an image. @throws a call failure for a kind that the protocol does not carry. */
export function imageBlock(part: ImagePart): JsonObject {
  const format = imageFormats[mediaType(part)]
  if (format === undefined) throw unfit(`images of the type ${part.media_type} (it takes PNG, JPEG, GIF and WebP)`)
  return { image: { format, source: sourceOf(part, 'images') } }
}

/** The media type of an image that a model made. */
export const imageMediaType = (format: string): string => `image/${format}`

/** Makes the blocks of the files of one request, whose names must not repeat. */
export function createFileBlocks(): (part: FilePart) => JsonObject {
  const taken = new Set<string>()
  return (part) => {
    const video = videoFormats[mediaType(part)]
    if (video !== undefined) return { video: { format: video, source: sourceOf(part, 'files') } }
    const format = documentFormat(part)
    if (format === undefined) throw unfit(`files of the type ${part.media_type}`)
    return { document: { format, name: freeName(part.name, taken), source: sourceOf(part, 'files') } }
  }
}

/** By media type, else by file extension; any other text is plain text. */
function documentFormat(part: FilePart): string | undefined {
  const type = mediaType(part)
  const known = documentFormats[type]
  if (known !== undefined) return known
  const ending = part.name.toLowerCase().split('.').at(-1) ?? ''
  if (Object.values(documentFormats).includes(ending)) return ending
  const isText = type.startsWith('text/') || /^application\/(json|xml|yaml|x-yaml|javascript|toml)$/.test(type) || ending === 'txt'
  return isText ? 'txt' : undefined
}

/** Letters, digits, single spaces, hyphens, brackets; unique in a request. */
function freeName(name: string, taken: Set<string>): string {
  const base =
    name
      .replace(/\.[A-Za-z0-9]{1,5}$/, '')
      .replace(/[^A-Za-z0-9()[\]-]+/g, ' ')
      .trim()
      .slice(0, 180) || 'document'
  let free = base
  for (let number = 2; taken.has(free); number += 1) free = `${base} (${number})`
  taken.add(free)
  return free
}

const mediaType = ({ media_type }: ImagePart | FilePart): string => media_type.split(';')[0]?.trim().toLowerCase() ?? ''

function sourceOf(part: ImagePart | FilePart, what: string): JsonObject {
  if (part.data !== undefined) return { bytes: part.data }
  if (part.url?.startsWith('s3://')) return { s3Location: { uri: part.url } }
  const inline = /^data:[^,]*;base64,(.*)$/s.exec(part.url ?? '')?.[1]
  if (inline !== undefined) return { bytes: inline }
  throw unfit(`${what} by address; send their content instead`)
}

const unfit = (what: string): Error =>
  callFailure({ failure: 'bad_request', retryable: false, reason: `Bedrock Converse does not carry ${what}.` })
