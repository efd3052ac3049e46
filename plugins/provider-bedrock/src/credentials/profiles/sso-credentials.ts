import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { objectAt, parseJson, textAt } from '@agent-service/sdk/provider-kit'
import { askEndpoint } from '../../common/ask-endpoint.js'
import type { AwsCredentials, CredentialMeans } from '../../common/aws-credentials.js'
import { credentialsRefused, credentialsUnavailable } from '../../common/credential-failure.js'
import { momentOf, readCredentialDocument } from '../../common/read-credential-document.js'
import { dnsSuffix } from '../sources/security-token-service.js'
import type { ProfileSettings } from './parse-profile-file.js'
import type { Profiles } from './read-profiles.js'

const limitMs = 10_000
const names = {
  accessKeyId: 'accessKeyId',
  secretAccessKey: 'secretAccessKey',
  sessionToken: 'sessionToken',
  expiration: 'expiration',
}

/** The settings of a profile for single sign-on. */
interface SsoSettings {
  readonly account: string
  readonly role: string
  readonly region: string
  /** The key of the cached token: the name of the session, or the start page. */
  readonly tokenKey: string
}

/**
 * Credentials of a profile with single sign-on, from the token that `aws sso login` left in
 * `~/.aws/sso/cache`; `undefined` if the profile says nothing of it. The token is not renewed here.
 * @throws a call failure.
 */
export async function ssoCredentials(
  name: string,
  profile: ProfileSettings,
  profiles: Profiles,
  means: CredentialMeans,
): Promise<AwsCredentials | undefined> {
  const settings = settingsOf(name, profile, profiles)
  if (!settings) return undefined
  const token = await cachedToken(name, settings, means)
  const origin = means.readVariable('AWS_ENDPOINT_URL_SSO') ?? `https://portal.sso.${settings.region}.${dnsSuffix(settings.region)}`
  const url = new URL(`${origin.replace(/\/+$/, '')}/federation/credentials`)
  url.searchParams.set('role_name', settings.role)
  url.searchParams.set('account_id', settings.account)
  const { status, text } = await askEndpoint({
    who: 'The AWS sign-in portal',
    url,
    method: 'GET',
    headers: { 'x-amz-sso_bearer_token': token },
    limitMs,
    signal: means.signal,
  })
  if (status === 401 || status === 403) throw signInAgain(name, `the portal refused with HTTP ${status}`)
  if (status >= 500 || status === 429) throw credentialsUnavailable(`The AWS sign-in portal answered with HTTP ${status}.`)
  const credentials = status === 200 ? readCredentialDocument(objectAt(parseJson(text), 'roleCredentials'), names) : undefined
  if (credentials) return credentials
  throw credentialsRefused(
    `The AWS sign-in portal returned no credentials for the role ${settings.role} in the account ${settings.account} (HTTP ${status}).`,
  )
}

function settingsOf(name: string, profile: ProfileSettings, profiles: Profiles): SsoSettings | undefined {
  const sessionName = profile.get('sso_session')
  if (sessionName === undefined && !profile.has('sso_start_url')) return undefined
  const session = sessionName === undefined ? profile : profiles.ssoSession(sessionName)
  const [account, role] = [profile.get('sso_account_id'), profile.get('sso_role_name')]
  const [startUrl, region] = [session?.get('sso_start_url'), session?.get('sso_region')]
  if (account === undefined || role === undefined || startUrl === undefined || region === undefined)
    throw credentialsRefused(
      `The AWS profile “${name}” lacks one of sso_account_id, sso_role_name, sso_start_url and sso_region${sessionName === undefined ? '' : `, or the section [sso-session ${sessionName}]`}.`,
    )
  return { account, role, region, tokenKey: sessionName ?? startUrl }
}

async function cachedToken(name: string, { tokenKey }: SsoSettings, { homeFolder, now }: CredentialMeans): Promise<string> {
  const file = path.join(homeFolder, '.aws', 'sso', 'cache', `${createHash('sha1').update(tokenKey).digest('hex')}.json`)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw signInAgain(name, `there is no token (${error.code ?? 'unknown error'})`)
  })
  const document = parseJson(text)
  const token = textAt(document, 'accessToken')
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) throw signInAgain(name, 'the token file contains no token')
  const expiresAt = momentOf(textAt(document, 'expiresAt'))
  if (expiresAt !== undefined && expiresAt <= now()) throw signInAgain(name, 'the token has expired')
  return token
}

const signInAgain = (name: string, why: string): Error =>
  credentialsRefused(
    `The AWS profile “${name}” needs a sign-in: ${why}. Run “aws sso login --profile ${name}” as the account of this service.`,
  )
