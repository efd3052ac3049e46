import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BenchChild, startChild } from './child.js'
import type { LeanHttp } from './lean-http.js'
import { peerFile } from './peers.js'
import { openAccount, type ServiceAccount } from './service-account.js'
import { type ServiceOptions, startService } from './service-child.js'
import { lastWord } from './turns-words.js'

const question = 'What time is it?'

/** A server of agents in a process of its own. */
export interface TurnsSubject {
  readonly name: string
  readonly child: BenchChild
  /** Whatever has to be there before the first conversation. */
  prepare(callers: number): Promise<void>
  /** A new conversation of one caller; what it gives holds one turn of it. */
  begin(caller: number): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** The whole service: every caller has an account and an open stream. */
export async function openService(name: string, http: LeanHttp, options: ServiceOptions): Promise<TurnsSubject> {
  const child = await startService(options)
  const accounts: ServiceAccount[] = []
  return {
    name,
    child,
    async prepare(callers) {
      while (accounts.length < callers) accounts.push(await openAccount(http, child.url, `caller${accounts.length}`))
    },
    async begin(caller) {
      const account = accounts[caller]
      if (!account) throw new Error(`There is no caller ${caller}.`)
      const chatId = await account.newChat()
      return () => account.turn(chatId, question)
    },
    async close() {
      for (const account of accounts) account.close()
      await child.stop()
    },
  }
}

/** Mastra's server as `mastra build` starts it, with its memory in a LibSQL file. */
export async function openMastra(
  name: string,
  http: LeanHttp,
  options: { readonly folder: string; readonly upstream: string; readonly node: string },
): Promise<TurnsSubject> {
  const file = pathToFileURL(peerFile('mastra', 'server.mjs')).href
  const environment = {
    UPSTREAM_URL: options.upstream,
    STORE_FILE: path.join(options.folder, 'mastra.db'),
    NODE_ENV: 'production',
    MASTRA_TELEMETRY_DISABLED: '1',
  }
  const child = await startChild(file, environment, { node: options.node })
  let threads = 0
  return {
    name,
    child,
    prepare: async () => undefined,
    async begin(caller) {
      threads += 1
      const memory = { thread: `thread-${threads}`, resource: `caller-${caller}` }
      const body = { messages: [{ role: 'user', content: question }], memory }
      return async () => {
        const { status, text } = await http.send('POST', `${child.url}/api/agents/bench/stream`, { body })
        const whole = text.includes('"type":"tool-result"') && text.includes(lastWord) && text.includes('"type":"finish"')
        if (status !== 200 || !whole) throw new Error(`A turn of ${name} answered ${status}: ${text.slice(0, 2_000)}`)
      }
    },
    close: () => child.stop(),
  }
}
