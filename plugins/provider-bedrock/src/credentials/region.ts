import type { ReadVariable } from '../common/aws-credentials.js'
import type { ProfileSettings } from './profiles/parse-profile-file.js'

/** The region that the environment or a profile names, in this order. */
export const regionOf = (readVariable: ReadVariable, profile: ProfileSettings | undefined): string | undefined =>
  readVariable('AWS_REGION') ?? readVariable('AWS_DEFAULT_REGION') ?? profile?.get('region')
