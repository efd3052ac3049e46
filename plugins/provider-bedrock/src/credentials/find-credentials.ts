import type { AwsCredentials, CredentialMeans } from '../common/aws-credentials.js'
import { credentialsRefused } from '../common/credential-failure.js'
import { profileCredentials } from './profiles/profile-credentials.js'
import { readProfiles } from './profiles/read-profiles.js'
import { regionOf } from './region.js'
import { containerCredentials } from './sources/container-credentials.js'
import { environmentCredentials } from './sources/environment-credentials.js'
import { instanceCredentials } from './sources/instance-credentials.js'
import { webIdentityCredentials, webIdentityOf } from './sources/web-identity-credentials.js'

/** The region whose token service is asked where nothing names one. */
const fallbackRegion = 'us-east-1'

/**
 * Finds credentials. With a profile: that one's, and nothing else. Without: the environment's keys, the profile of `AWS_PROFILE` or `default`, a web identity,
 * the container, the instance. The first that is set up decides; when it fails, the others are not asked. @throws a call failure.
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
    if (profile !== undefined) throw credentialsRefused(`The AWS profile “${profile}” says nothing of credentials.`)
  }
  const identity = webIdentityOf(readVariable)
  if (identity) return await webIdentityCredentials(identity, region, means)
  const found = (await containerCredentials(means)) ?? (await instanceCredentials(means))
  if (found) return found
  throw credentialsRefused(
    'There are no AWS credentials: not in the environment, in the shared files, of a web identity, of a container or of an instance. Set api_key or aws_profile, or give the service credentials of its own.',
  )
}
