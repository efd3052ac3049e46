import { readFile } from 'node:fs/promises'
import { parseJson } from '@agent-service/sdk/provider-kit'
import { askEndpoint } from '../../common/ask-endpoint.js'
import type { AwsCredentials, CredentialMeans } from '../../common/aws-credentials.js'
import { credentialsRefused, credentialsUnavailable } from '../../common/credential-failure.js'
import { metadataNames, readCredentialDocument } from '../../common/read-credential-document.js'

const limitMs = 5_000
/** The credential endpoint of the container service. */
const taskOrigin = 'http://169.254.170.2'
/**
 * Hosts that may be called without encryption: loopback and the platform's link-local addresses.
 */
const plainHosts = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|169\.254\.170\.2|169\.254\.170\.23|\[fd00:ec2::23\])$/

/**
 * Credentials of the container that this runs in (`AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or
 * `…_FULL_URI`); `undefined` if neither variable is set.
 * @throws a call failure.
 */
export async function containerCredentials(means: CredentialMeans): Promise<AwsCredentials | undefined> {
  const url = addressOf(means)
  if (!url) return undefined
  const authorization = await authorizationOf(means)
  const { status, text } = await askEndpoint({
    who: 'The container’s credential endpoint',
    url,
    method: 'GET',
    headers: { accept: 'application/json', ...(authorization !== undefined && { authorization }) },
    limitMs,
    signal: means.signal,
  })
  if (status >= 500 || status === 429) throw credentialsUnavailable(`The container’s credential endpoint answered with HTTP ${status}.`)
  if (status !== 200) throw credentialsRefused(`The container’s credential endpoint refused with HTTP ${status}.`)
  const credentials = readCredentialDocument(parseJson(text), metadataNames)
  if (!credentials) throw credentialsUnavailable('The container’s credential endpoint answered without keys.')
  return credentials
}

function addressOf({ readVariable }: CredentialMeans): URL | undefined {
  const relative = readVariable('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI')
  if (relative !== undefined) return new URL(relative.startsWith('/') ? relative : `/${relative}`, taskOrigin)
  const full = readVariable('AWS_CONTAINER_CREDENTIALS_FULL_URI')
  if (full === undefined) return undefined
  const url = URL.canParse(full) ? new URL(full) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && plainHosts.test(url.hostname))) return url
  throw credentialsRefused(
    'AWS_CONTAINER_CREDENTIALS_FULL_URI is neither an https address nor one of this machine or of the container platform.',
  )
}

/** The file is read each time: the platform replaces its content. */
async function authorizationOf({ readVariable }: CredentialMeans): Promise<string | undefined> {
  const file = readVariable('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE')
  const token =
    file === undefined
      ? readVariable('AWS_CONTAINER_AUTHORIZATION_TOKEN')
      : await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
          throw credentialsRefused(`The token file ${file} cannot be read (${error.code ?? 'unknown error'}).`)
        })
  const trimmed = token?.trim()
  if (trimmed !== undefined && !/^[\x20-\x7e]*$/.test(trimmed))
    throw credentialsRefused('The container’s authorization token holds characters that no header can carry.')
  return trimmed === '' ? undefined : trimmed
}
