/**
 * 1Password's SDK with another core: its own classes, but in place of the WebAssembly a core that
 * asks a fake server. Loaded by the thread.
 */
import { createRequire } from 'node:module'
import type * as OnePassword from '@1password/sdk'

const own = createRequire(import.meta.url)
const ofSdk = createRequire(own.resolve('@1password/sdk'))

const unsent =
  'authentication error: request library compatibility issue, check that the your environment uses compatible versions: reqwest library: error sending request'

/** What the fake server answers. Rejects with a text, as the core does. */
async function ask(path: string, body: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(`https://my.1password.com/fake/${path}`, { method: 'POST', body, headers }).catch(() => undefined)
  if (response === undefined) return Promise.reject(unsent)
  const text = await response.text()
  return response.status === 200 ? text : Promise.reject(text)
}

const core = {
  init_client: (config: string) => ask('sign-in', config),
  invoke: (config: string) => ask('invoke', config),
  release_client: () => undefined,
}

const file = ofSdk.resolve('@1password/sdk-core')
own.cache[file] = Object.assign(Object.create(null) as NodeJS.Module, { id: file, filename: file, loaded: true, exports: core })

export const createClient: typeof OnePassword.createClient = (own('@1password/sdk') as typeof OnePassword).createClient
