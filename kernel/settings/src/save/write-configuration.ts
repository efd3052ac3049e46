import { type DurableFileSystem, replaceFile, temporaryPath } from '@agent-service/kernel-core/disk'
import type { ConfigurationTarget } from './configuration-target.js'

/**
 * Replaces the file, and the previous version beside it by the old text. If it rejects or is
 * interrupted anywhere, the file has either the complete old text or the complete new one; when it
 * resolves, the new one survives a power failure.
 *
 * @param texts `before` is absent if there was no file
 * @param confirm called right before the new text replaces the old one; a throw keeps the old one
 */
export async function writeConfiguration(
  fileSystem: DurableFileSystem,
  { path, previousPath, owner }: Pick<ConfigurationTarget, 'path' | 'previousPath' | 'owner'>,
  texts: { readonly before: string | undefined; readonly after: string },
  confirm: () => Promise<void>,
): Promise<void> {
  if (texts.before !== undefined) await replaceFile(fileSystem, previousPath, texts.before, { owner })
  await replaceFile(fileSystem, path, texts.after, { owner, confirm })
}

/**
 * Removes temporary files of an interrupted write. Only call it while no other write is in
 * progress.
 */
export async function removeLeftovers(
  fileSystem: DurableFileSystem,
  target: Pick<ConfigurationTarget, 'path' | 'previousPath'>,
): Promise<void> {
  for (const path of [target.path, target.previousPath]) await fileSystem.removeFile(temporaryPath(path))
}
