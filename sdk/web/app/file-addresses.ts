/** The address of a folder on the screen of files: `/files/reports`, `/workspaces/assistant`. */
export const folderAddress = (path: string): string => `/${path.split('/').map(encodeURIComponent).join('/')}`

/** The address at which the screen of files shows a file. */
export function fileAddress(path: string): string {
  const names = path.split('/')
  return `${folderAddress(names.slice(0, -1).join('/'))}?show=${encodeURIComponent(names.at(-1) ?? '')}`
}
