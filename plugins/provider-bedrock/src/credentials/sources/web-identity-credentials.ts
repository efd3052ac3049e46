import { readFile } from 'node:fs/promises'
import type { AwsCredentials, CredentialMeans } from '../../common/aws-credentials.js'
import { credentialsRefused } from '../../common/credential-failure.js'
import { assumeRole } from './security-token-service.js'

/** A role that is assumed with a token from a file, which the platform keeps fresh. */
export interface WebIdentity {
  readonly tokenFile: string
  readonly roleArn: string
  readonly sessionName?: string | undefined
}

/**
 * The web identity of `AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN` and `AWS_ROLE_SESSION_NAME`;
 * `undefined` unless the first two are set.
 */
export function webIdentityOf(readVariable: CredentialMeans['readVariable']): WebIdentity | undefined {
  const tokenFile = readVariable('AWS_WEB_IDENTITY_TOKEN_FILE')
  const roleArn = readVariable('AWS_ROLE_ARN')
  return tokenFile === undefined || roleArn === undefined
    ? undefined
    : { tokenFile, roleArn, sessionName: readVariable('AWS_ROLE_SESSION_NAME') }
}

/** Assumes a role with the token that its file has now. @throws a call failure. */
export async function webIdentityCredentials(
  { tokenFile, roleArn, sessionName }: WebIdentity,
  region: string,
  means: CredentialMeans,
): Promise<AwsCredentials> {
  const token = await readFile(tokenFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw credentialsRefused(`The web identity token file ${tokenFile} cannot be read (${error.code ?? 'unknown error'}).`)
  })
  const parameters = { WebIdentityToken: token.trim() }
  return await assumeRole({ action: 'AssumeRoleWithWebIdentity', roleArn, sessionName, parameters, region }, means)
}
