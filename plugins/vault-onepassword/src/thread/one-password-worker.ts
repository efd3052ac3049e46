/** The thread in which 1Password's SDK runs for one connection. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Client, createClient } from '@1password/sdk'
import { createBridgedFetch } from './bridged-fetch.js'
import type { FetchRequest, FetchResponse, FromThread, SdkMethods, ThreadData, ToThread } from './messages.js'

type Implementations = {
  readonly [Name in keyof SdkMethods]: (client: Client, input: SdkMethods[Name]['input']) => Promise<SdkMethods[Name]['output']>
}

const implementations: Implementations = {
  listVaults: ({ vaults }) => vaults.list(),
  listItems: ({ items }, { vaultId }) => items.list(vaultId),
  getItem: ({ items }, { vaultId, itemId }) => items.get(vaultId, itemId),
  putItem: ({ items }, { item }) => items.put(item),
  createItem: ({ items }, { item }) => items.create(item),
}

const { sdk, token } = workerData as ThreadData
const waiting = new Map<number, (response: FetchResponse | undefined) => void>()
const send = (message: FromThread): void => parentPort?.postMessage(message)
let fetches = 0
let client: Promise<Client> | undefined

const carry = (request: FetchRequest): Promise<FetchResponse | undefined> =>
  new Promise((resolve) => {
    fetches += 1
    waiting.set(fetches, resolve)
    send({ kind: 'fetch', id: fetches, request })
  })

async function signIn(): Promise<Client> {
  // Compiles 14 MB of WebAssembly, hence here and only now.
  const module = (await import(sdk)) as { readonly createClient: typeof createClient }
  return module.createClient({ auth: token, integrationName: 'Agent Service', integrationVersion: 'v1' })
}

function forget(): void {
  client = undefined
}

async function call(method: keyof SdkMethods, input: object, signInAgain: boolean): Promise<unknown> {
  if (signInAgain) client = undefined
  const current = client ?? signIn()
  client = current
  try {
    return await (implementations[method] as (client: Client, input: object) => Promise<unknown>)(await current, input)
  } catch (error) {
    // A failed sign-in is not kept.
    if (client === current) await current.catch(forget)
    throw error
  }
}

globalThis.fetch = createBridgedFetch(carry)
parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'fetched') {
    waiting.get(message.id)?.(message.response)
    waiting.delete(message.id)
    return
  }
  const { id, method, input, signInAgain } = message
  call(method, input, signInAgain).then(
    (output) => send({ kind: 'done', id, output }),
    (error: unknown) => {
      const failure = error instanceof Error ? error : new Error(String(error))
      send({ kind: 'failed', id, name: failure.constructor.name, message: failure.message })
    },
  )
})
