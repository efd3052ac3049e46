import type { Resources } from '@agent-service/sdk/services/resources'

/** Where the list lies among the shared resources: one password a line, lower case. */
export const commonPasswordsPath = 'passwords/common.txt'

/** Reads the shipped list. @throws `not_found` when the file lacks: a service that accepts every password does not start. */
export async function readCommonPasswords(resources: Resources): Promise<ReadonlySet<string>> {
  const text = await resources.read(commonPasswordsPath)
  return new Set(
    text
      .split('\n')
      .map((line) => line.trim().toLowerCase())
      .filter((line) => line !== ''),
  )
}
