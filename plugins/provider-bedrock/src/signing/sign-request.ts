import { createHash, createHmac } from 'node:crypto'
import type { AwsCredentials } from '../common/aws-credentials.js'
import { encodeStrictly } from './uri-encode.js'

const algorithm = 'AWS4-HMAC-SHA256'

/** A request to be signed. */
export interface UnsignedRequest {
  readonly method: 'GET' | 'POST'
  /** Its path on the wire, encoded once. */
  readonly url: URL
  readonly contentType: string
  /** The exact text that is sent, as UTF-8. */
  readonly body: string
}

/** Credentials, scope and time of a signature. */
export interface SigningScope {
  readonly credentials: AwsCredentials
  readonly region: string
  /** `bedrock`, `sts`. */
  readonly service: string
  /** In milliseconds since 1970, as the service's clock has it. */
  readonly now: number
}

/**
 * The headers of a request signed by Signature Version 4, its content type among them; names in
 * lower case. Host, content type, date and session token are signed, and the body.
 */
export function signRequest(
  request: UnsignedRequest,
  { credentials, region, service, now }: SigningScope,
): Readonly<Record<string, string>> {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const scope = `${day}/${region}/${service}/aws4_request`
  const headers = {
    'content-type': request.contentType,
    'x-amz-date': time,
    ...(credentials.sessionToken !== undefined && { 'x-amz-security-token': credentials.sessionToken }),
  }
  const signed = Object.entries({ ...headers, host: request.url.host }).sort(([one], [other]) => (one < other ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    request.method,
    request.url.pathname.split('/').map(encodeStrictly).join('/'),
    canonicalQuery(request.url),
    ...signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    names,
    sha256(request.body),
  ].join('\n')
  const toSign = [algorithm, time, scope, sha256(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${credentials.secretAccessKey}`))
  const signature = hmac(key, toSign).toString('hex')
  return {
    ...headers,
    authorization: `${algorithm} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    .sort()
    .join('&')

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest()
