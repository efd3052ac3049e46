import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** A running service, as a test of its files sees it. */
export interface FilesService {
  /** Signs a person up; returns the access token. */
  signUp(username: string): Promise<string>
  /** Writes a file below a user's folder on the disk; returns its absolute path. */
  put(handle: string, place: string, content: string | Uint8Array): Promise<string>
  fetch(target: string, init?: RequestInit & { readonly token?: string }): Promise<Response>
}

/** Calls the service at `url`, whose data is in `folder`. */
export function filesServiceOf({ url, folder }: { readonly url: string; readonly folder: string }): FilesService {
  return {
    async signUp(username) {
      const answer = await fetch(`${url}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: 'a long enough password' }),
      })
      if (!answer.ok) throw new Error(`Sign-up answered ${answer.status}: ${await answer.text()}`)
      return ((await answer.json()) as { readonly access_token: string }).access_token
    },
    async put(handle, place, content) {
      const file = path.join(folder, 'data', 'users', handle, place)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, content)
      return file
    },
    fetch(target, { token, ...init } = {}) {
      const headers = new Headers(init.headers)
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
      return fetch(`${url}${target}`, { ...init, headers })
    },
  }
}
