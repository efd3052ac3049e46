import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { CredentialMeans } from '../../common/aws-credentials.js'
import { credentialsRefused } from '../../common/credential-failure.js'
import { type ProfileSections, type ProfileSettings, parseProfileFile } from './parse-profile-file.js'

/** The content of the shared files of AWS tools. */
export interface Profiles {
  /**
   * The settings of a profile from both files; those of the credentials file win. `undefined` if
   * neither has it.
   */
  find(name: string): ProfileSettings | undefined
  /** A section `[sso-session NAME]`. */
  ssoSession(name: string): ProfileSettings | undefined
}

/**
 * Reads `~/.aws/config` and `~/.aws/credentials`, or the files of `AWS_CONFIG_FILE` and
 * `AWS_SHARED_CREDENTIALS_FILE`, as they are now. A missing file there is empty. @throws a call
 * failure for one that cannot be read.
 */
export async function readProfiles(means: Pick<CredentialMeans, 'readVariable' | 'homeFolder'>): Promise<Profiles> {
  const [configuration, credentials] = await Promise.all([
    readSections(means, 'AWS_CONFIG_FILE', 'config'),
    readSections(means, 'AWS_SHARED_CREDENTIALS_FILE', 'credentials'),
  ])
  return {
    find(name) {
      const configured = configuration.get(`profile ${name}`) ?? (name === 'default' ? configuration.get('default') : undefined)
      const keys = credentials.get(name)
      return configured || keys ? new Map([...(configured ?? []), ...(keys ?? [])]) : undefined
    },
    ssoSession: (name) => configuration.get(`sso-session ${name}`),
  }
}

/** The path with a leading `~/` replaced. */
export const expandHome = (file: string, homeFolder: string): string => (/^~[/\\]/.test(file) ? path.join(homeFolder, file.slice(2)) : file)

async function readSections(
  { readVariable, homeFolder }: Pick<CredentialMeans, 'readVariable' | 'homeFolder'>,
  variable: string,
  name: string,
): Promise<ProfileSections> {
  const file = expandHome(readVariable(variable) ?? path.join(homeFolder, '.aws', name), homeFolder)
  try {
    return parseProfileFile(await readFile(file, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return new Map()
    throw credentialsRefused(`The AWS file ${file} cannot be read (${code ?? 'unknown error'}).`)
  }
}
