import { parseJson, textAt } from '@agent-service/sdk/provider-kit'
import { askEndpoint } from '../../common/ask-endpoint.js'
import type { AwsCredentials, CredentialMeans } from '../../common/aws-credentials.js'
import { credentialsUnavailable } from '../../common/credential-failure.js'
import { metadataNames, readCredentialDocument } from '../../common/read-credential-document.js'

/**
 * Outside the cloud nothing listens there, and every service without credentials waits this long.
 * In milliseconds.
 */
const tokenLimitMs = 1_000
const answerLimitMs = 2_000
const rolesPath = '/latest/meta-data/iam/security-credentials/'

/**
 * Credentials of the role of the instance that this runs on, by version 2 of its metadata service;
 * `undefined` if there is no such service or no role, and with `AWS_EC2_METADATA_DISABLED`. @throws
 * a call failure if the service is there and fails.
 */
export async function instanceCredentials(means: CredentialMeans): Promise<AwsCredentials | undefined> {
  const { readVariable, signal } = means
  if (readVariable('AWS_EC2_METADATA_DISABLED')?.toLowerCase() === 'true') return undefined
  const origin = originOf(readVariable)
  if (!origin) return undefined
  const token = await tokenOf(origin, signal)
  if (token === undefined) return undefined
  const read = (path: string): Promise<{ readonly status: number; readonly text: string }> =>
    askEndpoint({
      who: 'The instance’s metadata service',
      url: new URL(path, origin),
      method: 'GET',
      headers: { 'x-aws-ec2-metadata-token': token },
      limitMs: answerLimitMs,
      signal,
    })
  const roles = await read(rolesPath)
  const role = roles.text.split('\n')[0]?.trim() ?? ''
  if (roles.status === 404 || (roles.status === 200 && role === '')) return undefined
  if (roles.status !== 200) throw credentialsUnavailable(`The instance’s metadata service answered with HTTP ${roles.status}.`)
  const { status, text } = await read(`${rolesPath}${encodeURIComponent(role)}`)
  const document = parseJson(text)
  const credentials = status === 200 ? readCredentialDocument(document, metadataNames) : undefined
  if (credentials) return credentials
  const code = textAt(document, 'Code') ?? `HTTP ${status}`
  throw credentialsUnavailable(`The instance’s metadata service returned no credentials for its role (${code}).`)
}

function originOf(readVariable: CredentialMeans['readVariable']): URL | undefined {
  const mode = readVariable('AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE')?.toLowerCase()
  const address =
    readVariable('AWS_EC2_METADATA_SERVICE_ENDPOINT') ?? (mode === 'ipv6' ? 'http://[fd00:ec2::254]' : 'http://169.254.169.254')
  return URL.canParse(address) ? new URL(address) : undefined
}

/** The session token for all further requests; `undefined` if there is none. */
async function tokenOf(origin: URL, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { status, text } = await askEndpoint({
      who: 'The instance’s metadata service',
      url: new URL('/latest/api/token', origin),
      method: 'PUT',
      headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '21600' },
      limitMs: tokenLimitMs,
      signal,
    })
    return status === 200 && /^[\x21-\x7e]+$/.test(text.trim()) ? text.trim() : undefined
  } catch {
    signal.throwIfAborted()
    // Usually there is no such service. The credential chain reports the missing credentials and
    // where it looked.
    return undefined
  }
}
