/** Beside the folders, so that none of them has its address. */
export const binPath = '/files-bin'

export const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')
export const nameOf = (path: string): string => path.split('/').at(-1) ?? ''

/** Whether a name can be part of a path; the service checks it too. */
export const isName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !/[/\\\p{Cc}]/u.test(name)

const maxCopies = 20

/** Names for a copy, to be tried one after the other: `report (2).pdf`. */
export function copyNames(name: string): readonly string[] {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  return Array.from({ length: maxCopies }, (_, index) => `${stem} (${index + 2})${ending}`)
}
