import { placed } from '../../../core/base.js'

/** Shows a file of the person, `workspaces/…` or `files/…`: the browser saves it. */
export function showBeside(file: { readonly path: string; readonly name: string }): void {
  const link = document.createElement('a')
  link.href = placed(`/api/files/content?path=${encodeURIComponent(file.path)}`)
  link.download = file.name
  link.click()
}
