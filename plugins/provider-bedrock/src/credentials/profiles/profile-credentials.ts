import type { AwsCredentials, CredentialMeans } from '../../common/aws-credentials.js'
import { credentialsRefused } from '../../common/credential-failure.js'
import { containerCredentials } from '../sources/container-credentials.js'
import { environmentCredentials } from '../sources/environment-credentials.js'
import { instanceCredentials } from '../sources/instance-credentials.js'
import { assumeRole } from '../sources/security-token-service.js'
import { webIdentityCredentials } from '../sources/web-identity-credentials.js'
import type { ProfileSettings } from './parse-profile-file.js'
import { processCredentials } from './process-credentials.js'
import { expandHome, type Profiles } from './read-profiles.js'
import { ssoCredentials } from './sso-credentials.js'

/** Where profiles are searched. */
export interface ProfileContext {
  readonly profiles: Profiles
  readonly means: CredentialMeans
  /** Of the token service, if the profile itself names none. */
  readonly region: string
}

/**
 * Credentials of a profile: a role that it takes on (from another profile or a
 * `credential_source`), its own keys, a web identity, a program, single sign-on, in this order.
 * `undefined` for a profile that is there and has no settings for credentials. @throws a call
 * failure.
 */
export function profileCredentials(name: string, context: ProfileContext): Promise<AwsCredentials | undefined> {
  return credentialsOf(name, context, [])
}

async function credentialsOf(name: string, context: ProfileContext, dependents: readonly string[]): Promise<AwsCredentials | undefined> {
  const profile = context.profiles.find(name)
  if (!profile) throw credentialsRefused(`There is no AWS profile “${name}” in the shared configuration files.`)
  const keys = keysOf(profile)
  // A profile may name itself as the source of its role: then its own keys are used.
  if (keys && dependents.length > 0) return keys
  if (dependents.includes(name))
    throw credentialsRefused(`The AWS profiles ${[...dependents, name].join(' → ')} are each other’s source_profile.`)
  const roleArn = profile.get('role_arn')
  const tokenFile = profile.get('web_identity_token_file')
  if (roleArn !== undefined && tokenFile === undefined) return await roleOf(name, roleArn, profile, context, dependents)
  if (keys) return keys
  const { means } = context
  if (roleArn !== undefined && tokenFile !== undefined) {
    const identity = {
      tokenFile: expandHome(tokenFile, means.homeFolder),
      roleArn,
      sessionName: profile.get('role_session_name'),
    }
    return await webIdentityCredentials(identity, profile.get('region') ?? context.region, means)
  }
  const command = profile.get('credential_process')
  if (command !== undefined) return await processCredentials(command, name, means)
  return await ssoCredentials(name, profile, context.profiles, means)
}

function keysOf(profile: ProfileSettings): AwsCredentials | undefined {
  const [accessKeyId, secretAccessKey] = [profile.get('aws_access_key_id'), profile.get('aws_secret_access_key')]
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  const sessionToken = profile.get('aws_session_token')
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}

async function roleOf(
  name: string,
  roleArn: string,
  profile: ProfileSettings,
  context: ProfileContext,
  dependents: readonly string[],
): Promise<AwsCredentials> {
  if (profile.has('mfa_serial'))
    throw credentialsRefused(`The AWS profile “${name}” requires the code of a second factor (mfa_serial), which cannot be entered here.`)
  const source = profile.get('source_profile')
  const signer =
    source === undefined
      ? await sourceCredentials(name, profile.get('credential_source'), context.means)
      : await credentialsOf(source, context, [...dependents, name])
  if (!signer) throw credentialsRefused(`The source of the AWS profile “${name}” has no credentials.`)
  return await assumeRole(
    {
      action: 'AssumeRole',
      roleArn,
      sessionName: profile.get('role_session_name'),
      parameters: { ExternalId: profile.get('external_id'), DurationSeconds: profile.get('duration_seconds') },
      region: profile.get('region') ?? context.region,
      signer,
    },
    context.means,
  )
}

async function sourceCredentials(name: string, source: string | undefined, means: CredentialMeans): Promise<AwsCredentials | undefined> {
  switch (source) {
    case 'Environment':
      return environmentCredentials(means.readVariable)
    case 'EcsContainer':
      return await containerCredentials(means)
    case 'Ec2InstanceMetadata':
      return await instanceCredentials(means)
    default:
      throw credentialsRefused(
        `The AWS profile “${name}” assumes a role and names neither a source_profile nor a credential_source (Environment, EcsContainer, Ec2InstanceMetadata).`,
      )
  }
}
