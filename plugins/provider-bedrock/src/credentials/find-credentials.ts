import type { AwsCredentials, CredentialMeans } from '../common/aws-credentials.js'
import { credentialsRefused } from '../common/credential-failure.js'
import { profileCredentials } from './profiles/profile-credentials.js'
import { readProfiles } from './profiles/read-profiles.js'
import { regionOf } from './region.js'
import { containerCredentials } from './sources/container-credentials.js'
import { environmentCredentials } from './sources/environment-credentials.js'
import { instanceCredentials } from './sources/instance-credentials.js'
import { webIdentityCredentials, webIdentityOf } from './sources/web-identity-credentials.js'

/** The region of the token service if no region is configured. */
const fallbackRegion = 'us-east-1'

/**
 * Finds credentials. With a profile: only that one's. Without: the environment's keys, the profile
 * of `AWS_PROFILE` or `default`, a web identity, the container, the instance. The first configured
 * source decides; if it fails, the others are not tried. @throws a call failure.
 */
export async function findCredentials(profile: string | undefined, means: CredentialMeans): Promise<AwsCredentials> {
  const { readVariable } = means
  if (profile === undefined) {
    const own = environmentCredentials(readVariable)
    if (own) return own
  }
  const named = profile ?? readVariable('AWS_PROFILE')
  const name = named ?? 'default'
  const profiles = await readProfiles(means)
  const region = regionOf(readVariable, profiles.find(name)) ?? fallbackRegion
  if (named !== undefined || profiles.find(name)) {
    const found = await profileCredentials(name, { profiles, means, region })
    if (found) return found
    if (profile !== undefined) throw credentialsRefused(`The AWS profile “${profile}” has no settings for credentials.`)
  }
  const identity = webIdentityOf(readVariable)
  if (identity) return await webIdentityCredentials(identity, region, means)
  const found = (await containerCredentials(means)) ?? (await instanceCredentials(means))
  if (found) return found
  throw credentialsRefused(
    'There are no AWS credentials in the environment or the shared files, and none from a web identity, a container or an instance. Set api_key or aws_profile, or give the service its own credentials.',
  )
}
