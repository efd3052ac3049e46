import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import path from 'node:path'

/**
 * A copy of a package whose compiled files may be changed, inside a folder that looks like the
 * repository.
 */
export interface MutatedPackage {
  readonly folder: string
  remove(): Promise<void>
}

/**
 * Copies what was compiled of one package. All else is linked, so that imports lead where they did.
 * The copy lies below the repository, where Node finds the installed modules.
 */
export async function copyPackage(root: string, packageFolder: string): Promise<MutatedPackage> {
  await mkdir(path.join(root, '.cache'), { recursive: true })
  const copy = await mkdtemp(path.join(root, '.cache/mutation-'))
  let from = root
  let to = copy
  for (const segment of packageFolder.split('/')) {
    await linkAllBut(from, to, segment)
    from = path.join(from, segment)
    to = path.join(to, segment)
    await mkdir(to)
  }
  await linkAllBut(from, to, 'dist')
  await cp(path.join(from, 'dist'), path.join(to, 'dist'), { recursive: true })
  return { folder: to, remove: () => rm(copy, { recursive: true }) }
}

async function linkAllBut(from: string, to: string, excepted: string): Promise<void> {
  for (const name of await readdir(from)) {
    if (name !== excepted && name !== '.cache' && name !== '.git') await symlink(path.join(from, name), path.join(to, name))
  }
}
