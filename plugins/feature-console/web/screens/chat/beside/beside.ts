import { placed } from '../../../core/base.js'

/** Shows a file of the person beside the chat. */
export function showBeside({ path, name }: { readonly path: string; readonly name: string }): void {
  const link = document.createElement('a')
  link.href = placed(`/api/files/content?path=${encodeURIComponent(path)}`)
  link.download = name
  link.click()
}
