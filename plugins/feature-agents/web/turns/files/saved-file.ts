import { isProblem, placed, send } from '@agent-service/sdk/web'
import type { MadeFile } from './made-file.js'

/** Whether the file is still where it was made. @throws {ApiProblem} */
export async function isThere(path: string): Promise<boolean> {
  try {
    const answer = await send('get', '/api/files/content', { query: { path } })
    await answer.body?.cancel()
    return true
  } catch (error) {
    if (isProblem(error) && error.status === 404) return false
    throw error
  }
}

/** Has the browser save the file; it never opens as a page. */
export function saveFile({ path, name }: Pick<MadeFile, 'path' | 'name'>): void {
  const link = document.createElement('a')
  link.href = placed(`/api/files/content?path=${encodeURIComponent(path)}`)
  link.download = name
  link.click()
}
