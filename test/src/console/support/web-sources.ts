import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository. */
export const repository = fileURLToPath(new URL('../../../../', import.meta.url))

/** Whether there is such a file or folder. */
export const isInRepository = (file: string): boolean => existsSync(path.join(repository, file))

/** The folders of what runs in browsers: the kit, the console, and each plugin's screens. Paths in the repository. */
export const webFolders: readonly string[] = [
  'sdk/web',
  ...readdirSync(path.join(repository, 'plugins'))
    .map((plugin) => `plugins/${plugin}/web`)
    .filter((folder) => isInRepository(`${folder}/screens`)),
]

/** The files in them, as paths in the repository. */
export const webFiles: readonly string[] = webFolders.flatMap((folder) =>
  readdirSync(path.join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(repository, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith(`${folder}/dist/`)),
)

/** The texts of a language by group and key. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The catalogues of all web folders. */
export const catalogues: readonly { readonly folder: string; readonly en: Catalogue; readonly de: Catalogue }[] = webFolders
  .filter((folder) => isInRepository(`${folder}/texts`))
  .map((folder) => ({ folder, en: readCatalogue(`${folder}/texts/en.json`), de: readCatalogue(`${folder}/texts/de.json`) }))

function readCatalogue(file: string): Catalogue {
  return JSON.parse(webSource(file)) as Catalogue
}

/** The text of such a file. */
export function webSource(file: string): string {
  return readFileSync(path.join(repository, file), 'utf8')
}
