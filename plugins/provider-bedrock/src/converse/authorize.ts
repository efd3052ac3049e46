import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callFailure, endpointUrl, type Refusal } from '@agent-service/sdk/provider-kit'
import type { AwsCredentials } from '../common/aws-credentials.js'
import type { AwsAccess } from '../credentials/aws-access.js'
import { signRequest } from '../signing/sign-request.js'
import { signatureProblem } from './failures.js'
import type { ServiceClock } from './service-clock.js'

/** Signs the requests of one call, and corrects a refused signature once. */
export interface Authorizer {
  /**
   * The address of a path: the connection's base URL, with the region filled in. @throws a call
   * failure.
   */
  url(path: string): Promise<URL>
  /** The headers that authenticate the call. @throws a call failure. */
  headers(url: URL, body: string, signal: AbortSignal): Promise<Readonly<Record<string, string>>>
  /** True if the signature was refused, and another one may be accepted. */
  mend(refusal: Refusal): Promise<boolean>
  /** Secrets that must not appear in an error. */
  secrets(): readonly string[]
}

/** What signing needs. */
export interface AuthorizerMeans {
  readonly aws: AwsAccess
  readonly clock: ServiceClock
  readonly signal: AbortSignal
}

/**
 * Makes the authorizer of a call. A key of the connection wins; then the connection's profile; then
 * a bearer key of the environment; then the chain.
 */
export function createAuthorizer({ connection }: ModelRequest, { aws, clock, signal }: AuthorizerMeans): Authorizer {
  const { apiKey, aws: place, baseUrl } = connection
  const profile = place?.profile
  const bearer = apiKey ?? (profile === undefined ? aws.bearerKey() : undefined)
  let signedWith: AwsCredentials | undefined
  let mended = false
  /** The limits of the call, once it has begun. */
  let limits = signal

  const region = async (): Promise<string | undefined> => {
    const found = place?.region ?? (await aws.region(profile))
    if (found !== undefined && !/^[a-z0-9-]{1,63}$/.test(found)) throw badRequest(`“${found}” is not an AWS region.`)
    return found
  }
  const knownRegion = async (url?: URL): Promise<string> => {
    const found = (await region()) ?? /^bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\./.exec(url?.hostname ?? '')?.[1]
    if (found !== undefined) return found
    throw badRequest('No AWS region is known. Set aws_region, or AWS_REGION in the environment of the service.')
  }

  return {
    async url(path) {
      const base = baseUrl.includes('{region}') ? baseUrl.replaceAll('{region}', await knownRegion()) : baseUrl
      return endpointUrl(base, path)
    },
    async headers(url, body, callSignal) {
      limits = callSignal
      if (bearer !== undefined) return { authorization: /^Bearer /i.test(bearer) ? bearer : `Bearer ${bearer}` }
      const scopeRegion = await knownRegion(url)
      signedWith = await aws.credentials.get(profile, callSignal)
      return signRequest(
        { method: 'POST', url, contentType: 'application/json', body },
        { credentials: signedWith, region: scopeRegion, service: 'bedrock', now: clock.now() },
      )
    },
    async mend(refusal) {
      if (bearer !== undefined || signedWith === undefined || mended) return false
      const problem = signatureProblem(refusal)
      if (problem === undefined) return false
      mended = true
      if (problem === 'wrong_signature') return clock.learn(refusal.headers.get('date'))
      return await aws.credentials.replace(profile, signedWith, limits)
    },
    secrets: () => [bearer, signedWith?.secretAccessKey, signedWith?.sessionToken].filter((secret) => secret !== undefined),
  }
}

const badRequest = (reason: string): Error => callFailure({ failure: 'bad_request', retryable: false, reason })
