import type { Stats } from 'node:fs'

/** A file or a folder that is open. */
interface Owned {
  stat(): Promise<Pick<Stats, 'uid' | 'gid'>>
  chown(uid: number, gid: number): Promise<void>
}

/**
 * Gives what this process made to the owner of the folder that it is in. If the service is root, the
 * processes of an agent run as another user, who owns the agent's workspace and can change what is
 * in it that way. Any other service may give nothing away, and shares its user with them.
 */
export async function followOwner(made: Owned, folder: Pick<Owned, 'stat'>): Promise<void> {
  const own = process.geteuid?.()
  if (own !== 0) return
  const { uid, gid } = await folder.stat()
  if (uid !== own && (await made.stat()).uid === own) await made.chown(uid, gid)
}
