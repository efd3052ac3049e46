import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import type { GivenUsers, SandboxUser } from '../machine/sandbox-users.js'

const execute = promisify(execFile)

/** Giving away a folder of a million files takes some seconds. */
const ownLimitMs = 120_000

/**
 * Gives a user what the service made at and below these paths, once: a path that is the user's has
 * been given, with everything below it. What the service makes later in a folder of the user it
 * gives away itself, at once (`UserFolder.write` and the others).
 * @throws `sandbox_refused` for a path that belongs to another principal.
 */
export async function ownFiles(
  helper: string,
  { uid, gid }: SandboxUser,
  paths: readonly string[],
  { ownerOf = () => Promise.resolve(undefined) }: Pick<GivenUsers, 'ownerOf'>,
): Promise<void> {
  for (const path of paths) {
    const { uid: owner } = await stat(path)
    if (owner === uid) continue
    const other = owner === process.getuid?.() ? undefined : await ownerOf(owner)
    if (other !== undefined) throw sandboxRefusedError.create({ reason: `${path} belongs to another principal, “${other}”` })
    try {
      await execute(helper, ['own', String(uid), String(gid), path], { timeout: ownLimitMs, env: {}, cwd: '/' })
    } catch (error) {
      throw sandboxRefusedError.create({ reason: `${path} could not be given to its principal: ${(error as Error).message}` })
    }
  }
}
