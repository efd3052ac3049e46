import { type DurableFileSystem, replaceFile, temporaryPath } from '@agent-service/kernel-core/disk'
import type { ConfigurationTarget } from './configuration-target.js'

/**
 * Replaces the file, and the one beside it by what the file was. When it rejects or is cut off anywhere, the file has the old text or the new one, whole;
 * when it resolves, the new one survives a power failure.
 *
 * @param texts `before` is absent where there was no file
 * @param confirm called right before the new text takes its place; a throw leaves the old one
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

/** Removes what a write that was killed left behind. Only while no other write is under way. */
export async function removeLeftovers(
  fileSystem: DurableFileSystem,
  target: Pick<ConfigurationTarget, 'path' | 'previousPath'>,
): Promise<void> {
  for (const path of [target.path, target.previousPath]) await fileSystem.removeFile(temporaryPath(path))
}
