import { defineError } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { UserUpload, UserUploadChecksum } from '@agent-service/sdk/services/user-files'

/** The version of the tus protocol that is spoken here. */
export const tusVersion = '1.0.0'
/** The largest file that can be uploaded, whatever the user's limit is: a tebibyte. */
export const maxUploadBytes = 2 ** 40

/** What every response of the protocol has. */
export const tusHeaders: Readonly<Record<string, string>> = { 'tus-resumable': tusVersion, 'cache-control': 'no-store' }

/** What `OPTIONS` says about the protocol. */
export const tusOptions: Readonly<Record<string, string>> = {
  'tus-resumable': tusVersion,
  'tus-version': tusVersion,
  'tus-max-size': String(maxUploadBytes),
  'tus-extension': 'creation,expiration,checksum,termination',
  'tus-checksum-algorithm': 'sha256,sha1,md5',
}

/** The client speaks another version of the protocol. */
export const tusVersionError = defineError<{ readonly given: string }>({
  code: 'tus_version_unsupported',
  status: 412,
  title: 'Version not supported',
  message: ({ given }) => `This service speaks tus ${tusVersion}; the request says “${given}”.`,
})

/** More bytes than any upload may have. */
export const uploadTooLargeError = defineError<{ readonly size: number }>({
  code: 'upload_too_large',
  status: 413,
  title: 'Upload too large',
  message: ({ size }) => `An upload has at most ${maxUploadBytes} bytes; ${size} were announced.`,
})

const pieceType = 'application/offset+octet-stream'

/** A piece that is not sent as one. */
export const pieceTypeError = defineError<Record<string, never>>({
  code: 'unsupported_media_type',
  status: 415,
  title: 'Unsupported media type',
  message: () => `A piece of an upload has the Content-Type ${pieceType}.`,
})

type Headers = Readonly<Record<string, string>>

/** Holds for clients of this version, and for those that say nothing. @throws `tus_version_unsupported`. */
export function checkTusVersion(headers: Headers): void {
  const given = headers['tus-resumable']
  if (given !== undefined && given !== tusVersion) throw tusVersionError.create({ given: given.slice(0, 50) })
}

/** @throws `unsupported_media_type`. */
export function checkPieceType(headers: Headers): void {
  if (headers['content-type'] !== pieceType) throw pieceTypeError.create({})
}

/** A header that is a number of bytes. @throws `invalid_request`. */
export function bytesOfHeader(headers: Headers, name: 'upload-length' | 'upload-offset'): number {
  const text = headers[name] ?? ''
  if (!/^\d{1,15}$/.test(text)) throw headerProblem(name, 'must be a number of bytes')
  return Number(text)
}

/** The checksum that a client sends with a piece. @throws `invalid_request`. */
export function checksumOf(headers: Headers): UserUploadChecksum | undefined {
  const header = headers['upload-checksum']
  if (header === undefined) return undefined
  const [algorithm, digest = ''] = header.split(' ')
  if (algorithm !== 'md5' && algorithm !== 'sha1' && algorithm !== 'sha256')
    throw headerProblem('upload-checksum', 'must begin with sha256, sha1 or md5')
  return { algorithm, digest }
}

export const headerProblem = (name: string, message: string): Error =>
  invalidRequestError.create({ where: 'headers' }, { problems: [{ path: `/${name}`, message }] })

/** The state of an upload in headers. */
export const stateHeaders = ({ offset, size, expiresAt, note }: UserUpload): Headers => ({
  ...tusHeaders,
  'upload-offset': String(offset),
  'upload-length': String(size),
  ...(note === '' ? {} : { 'upload-metadata': note }),
  ...(offset < size ? { 'upload-expires': new Date(expiresAt).toUTCString() } : {}),
})
