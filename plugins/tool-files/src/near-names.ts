import { nearest } from '@agent-service/sdk/host'
import type { UserFolder } from '@agent-service/sdk/services/user-files'

/** How many names are listed if none is similar. */
const maxListed = 20

/** The message for a missing path: with the nearest name, or with what is at the path instead. */
export async function nothingAt(folder: UserFolder, path: string, what: 'file' | 'folder' | 'file or folder'): Promise<string> {
  const found = await folder.stat(path)
  if (found?.kind === 'folder') return `“${path}” is a folder, not a file. List it with list_files.`
  if (found?.kind === 'file') return `“${path}” is a file, not a folder.`
  if (found) return `“${path}” is ${found.kind === 'link' ? 'a symbolic link' : 'not a regular file'}, which this tool does not open.`
  const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  const page = await folder.list(parent)
  if (!page) return `There is no ${what} “${path}”: there is no folder “${parent}” either. List the workspace with list_files.`
  const where = parent === '' ? 'The workspace' : `The folder “${parent}”`
  if (page.items.length === 0) return `There is no ${what} “${path}”. ${where} is empty.`
  const name = path.slice(parent === '' ? 0 : parent.length + 1)
  const there = page.items.map((item) => item.name)
  const near = there.find((each) => each.startsWith(`${name}.`)) ?? nearest(name, there)
  if (near !== undefined) return `There is no ${what} “${path}”. Did you mean “${parent === '' ? near : `${parent}/${near}`}”?`
  const names = page.items.slice(0, maxListed).map((item) => (item.kind === 'folder' ? `${item.name}/` : item.name))
  const more = page.items.length > maxListed || page.next !== undefined ? ', …' : ''
  return `There is no ${what} “${path}”. ${where} has: ${names.join(', ')}${more}`
}
