import type { AwsCredentials, ReadVariable } from '../../common/aws-credentials.js'

/**
 * The keys of `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; `undefined`
 * unless the first two are set.
 */
export function environmentCredentials(readVariable: ReadVariable): AwsCredentials | undefined {
  const accessKeyId = readVariable('AWS_ACCESS_KEY_ID')
  const secretAccessKey = readVariable('AWS_SECRET_ACCESS_KEY')
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  const sessionToken = readVariable('AWS_SESSION_TOKEN')
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}
