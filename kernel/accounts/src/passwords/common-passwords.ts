import type { Resources } from '@agent-service/sdk/services/resources'

/** The path of the list in the shared resources: one password a line, in lower case. */
export const commonPasswordsPath = 'passwords/common.txt'

/**
 * Reads the list. @throws `not_found` if the file is missing: a service that accepts every password
 * does not start.
 */
export async function readCommonPasswords(resources: Resources): Promise<ReadonlySet<string>> {
  const text = await resources.read(commonPasswordsPath)
  return new Set(
    text
      .split('\n')
      .map((line) => line.trim().toLowerCase())
      .filter((line) => line !== ''),
  )
}
