import { createHash } from 'node:crypto'
import type { Api } from '../support/api.js'

export type Json = Readonly<Record<string, unknown>>

/** What one person has, as the API shows it. */
export interface PersonContents {
  readonly username: string
  readonly profile: Json
  readonly agents: readonly Json[]
  readonly spaces: readonly Json[]
  readonly chats: readonly ChatContents[]
  readonly tokens: readonly Json[]
  readonly usage: Json
  /** SHA-256 of what each file holds, by path. */
  readonly files: Readonly<Record<string, string>>
}

export interface ChatContents {
  readonly chat: Json
  readonly branches: readonly Json[]
  readonly messages: readonly Json[]
}

/** What an administrator sees beside that. */
export interface AdminContents {
  readonly users: readonly Json[]
  readonly credentials: readonly Json[]
  readonly policies: readonly Json[]
  readonly budgets: readonly Json[]
}

/** What a folder holds, and what of it was under way when its process was killed. */
export interface FolderContents {
  readonly password: string
  /** A personal access token of the first person. */
  readonly token: string
  readonly people: readonly PersonContents[]
  readonly admin: AdminContents
  /** Runs that had not ended, by the name of their owner. */
  readonly openRuns: Readonly<Record<string, readonly string[]>>
  /** The day on which it was made, in UTC: `2026-11-22`. */
  readonly day: string
}

/** Reads everything that one person has. */
export async function readPerson(
  api: Api,
  username: string,
  { day, files }: { readonly day: string; readonly files: readonly string[] },
): Promise<PersonContents> {
  const chats = await itemsOf(api, '/api/chats')
  return {
    username,
    profile: await bodyOf(api, '/api/auth/me'),
    agents: await itemsOf(api, '/api/agents'),
    spaces: await itemsOf(api, '/api/spaces'),
    chats: await Promise.all(chats.map((chat) => readChat(api, chat))),
    tokens: await itemsOf(api, '/api/auth/tokens'),
    usage: await bodyOf(api, `/api/usage?from=${day}&to=${day}`),
    files: Object.fromEntries(await Promise.all(files.map(async (path) => [path, await digestOf(api, path)] as const))),
  }
}

/** Reads what only an administrator sees. */
export async function readAdministration(api: Api): Promise<AdminContents> {
  return {
    users: await itemsOf(api, '/api/admin/users'),
    credentials: await itemsOf(api, '/api/admin/credentials'),
    policies: (await itemsOf(api, '/api/admin/policies')).filter(({ source }) => source === 'stored'),
    budgets: await itemsOf(api, '/api/admin/budgets'),
  }
}

async function readChat(api: Api, chat: Json): Promise<ChatContents> {
  const path = `/api/chats/${String(chat['id'])}`
  return { chat, branches: await itemsOf(api, `${path}/branches`), messages: await itemsOf(api, `${path}/messages`) }
}

async function bodyOf(api: Api, path: string): Promise<Json> {
  const { status, body } = await api.request('GET', path)
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`)
  return body
}

async function itemsOf(api: Api, path: string): Promise<readonly Json[]> {
  const { items, next_cursor: next } = await bodyOf(api, path)
  if (next !== null && next !== undefined) throw new Error(`GET ${path} has more than a page.`)
  return items as readonly Json[]
}

async function digestOf(api: Api, path: string): Promise<string> {
  const response = await fetch(`${api.url}/api/files/content?path=${encodeURIComponent(path)}`, {
    headers: { authorization: `Bearer ${api.token}` },
  })
  if (!response.ok) throw new Error(`Reading ${path} answered ${response.status}.`)
  return createHash('sha256')
    .update(new Uint8Array(await response.arrayBuffer()))
    .digest('hex')
}
