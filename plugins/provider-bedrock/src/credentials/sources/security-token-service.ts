import { askEndpoint } from '../../common/ask-endpoint.js'
import type { AwsCredentials, CredentialMeans } from '../../common/aws-credentials.js'
import { credentialsRefused, credentialsUnavailable } from '../../common/credential-failure.js'
import { momentOf } from '../../common/read-credential-document.js'
import { signRequest } from '../../signing/sign-request.js'

const limitMs = 10_000
const contentType = 'application/x-www-form-urlencoded; charset=utf-8'

/** A role to assume. */
export interface RoleQuestion {
  readonly action: 'AssumeRole' | 'AssumeRoleWithWebIdentity'
  readonly roleArn: string
  /** Default: one that names this service. */
  readonly sessionName?: string | undefined
  /** Further parameters by their names on the wire; those that are undefined are left out. */
  readonly parameters: Readonly<Record<string, string | undefined>>
  readonly region: string
  /** The caller's credentials; absent for a web identity, whose token identifies the caller. */
  readonly signer?: AwsCredentials
}

/**
 * Requests the credentials of a role from the Security Token Service. Its endpoint is
 * `AWS_ENDPOINT_URL_STS`, else the region's. @throws a call failure.
 */
export async function assumeRole(question: RoleQuestion, means: CredentialMeans): Promise<AwsCredentials> {
  const { action, roleArn, region, signer } = question
  const url = new URL(means.readVariable('AWS_ENDPOINT_URL_STS') ?? `https://sts.${region}.${dnsSuffix(region)}/`)
  const body = new URLSearchParams({
    Action: action,
    Version: '2011-06-15',
    RoleArn: roleArn,
    RoleSessionName: question.sessionName ?? `agent-service-${means.now()}`,
    ...Object.fromEntries(Object.entries(question.parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)),
  }).toString()
  const headers = signer
    ? signRequest({ method: 'POST', url, contentType, body }, { credentials: signer, region, service: 'sts', now: means.now() })
    : { 'content-type': contentType }
  const { status, text } = await askEndpoint({
    who: 'The AWS token service',
    url,
    method: 'POST',
    headers,
    body,
    limitMs,
    signal: means.signal,
  })
  if (status !== 200) throw refusal(roleArn, status, text)
  const [accessKeyId, secretAccessKey] = [elementIn(text, 'AccessKeyId'), elementIn(text, 'SecretAccessKey')]
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw credentialsUnavailable(`The AWS token service answered for the role ${roleArn} without keys.`)
  const sessionToken = elementIn(text, 'SessionToken')
  const expiresAt = momentOf(elementIn(text, 'Expiration'))
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}

/** The domain of a region's endpoints. */
export const dnsSuffix = (region: string): string => (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com')

function refusal(roleArn: string, status: number, text: string): Error {
  const words = `${elementIn(text, 'Code') ?? `HTTP ${status}`}: ${(elementIn(text, 'Message') ?? 'it gave no reason').slice(0, 500)}`
  const reason = `The AWS token service refused credentials for the role ${roleArn} (${words}).`
  return status >= 500 || status === 429 ? credentialsUnavailable(reason) : credentialsRefused(reason)
}

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&#39;': "'", '&amp;': '&' }

/** The text of the first element with this name. The service's answers have no attributes. */
const elementIn = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]+)</${name}>`)
    .exec(xml)?.[1]
    ?.trim()
    .replace(/&(lt|gt|quot|apos|#39|amp);/g, (entity) => entities[entity] ?? entity)
