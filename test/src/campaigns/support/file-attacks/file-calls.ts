import type { TestKernel } from '@agent-service/kernel/testing'
import { contributionsToken } from '@agent-service/kernel/testing/tokens'
import type { JsonObject } from '@agent-service/sdk'
import { type Tool, tools } from '@agent-service/sdk/contracts/tool'
import type { Api } from '../../../support/api.js'
import { names } from './tree-attack.js'

/** One use of a file route or a file tool. */
export interface FileCall {
  readonly name: (typeof callNames)[number]
  readonly at: number
  readonly to: number
}

/** What came back: everything that a caller can see. */
export interface CallAnswer {
  /** `200`, `404`, …, or `done` and `refused` for a tool. */
  readonly outcome: string
  readonly text: string
}

export const callNames = [
  ...(['read_file', 'write_file', 'edit_file', 'list_files', 'search_files', 'delete_file', 'move_file'] as const),
  ...(['GET content', 'GET range', 'PUT content', 'DELETE content', 'GET list', 'GET usage', 'GET presigned', 'HEAD content'] as const),
  ...(['tus upload', 'GET search', 'POST copy', 'GET checksum', 'POST move', 'POST folders'] as const),
  ...(['POST copy out', 'POST copy back', 'GET content out', 'POST bin', 'GET bin', 'POST restore'] as const),
  ...(['DELETE binned', 'DELETE bin', 'POST presign', 'HEAD presigned', 'GET earlier presigned', 'DELETE presigned'] as const),
  ...(['tus begin', 'tus end', 'POST export'] as const),
]

/** The folder below `files` that is attacked too: only from there something goes into the bin. */
export const keptFolder = 'kept'

const callLimitMs = 15_000

/** Makes the calls of one user. */
export function createFileCalls(kernel: TestKernel, api: Api, workspace: string): (call: FileCall) => Promise<CallAnswer> {
  const known = new Map(
    kernel.container
      .resolve(contributionsToken)
      .list(tools)
      .map(({ key, value }): [string, Tool] => [key, value]),
  )
  let count = 0
  const useTool = async (name: string, input: JsonObject): Promise<CallAnswer> => {
    count += 1
    const tool = known.get(name)
    if (tool === undefined) throw new Error(`There is no tool ${name}.`)
    const result = await tool.execute(input, {
      ...{ callId: `call-${count}`, runId: 'run-1', chatId: 'chat-1', agentId: 'agent-1', agentHandle: 'agent', depth: 0, timezone: 'UTC' },
      ...{ userId: api.userId, userHandle: 'bob', workspace, signal: AbortSignal.timeout(callLimitMs) },
      progress: async () => undefined,
      output: async () => undefined,
    })
    return { outcome: result.isError === true ? 'refused' : 'done', text: JSON.stringify(result) }
  }
  const ask = async (
    method: string,
    address: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<CallAnswer> => {
    const authorization = address.includes('signature=') ? {} : { authorization: `Bearer ${api.token}` }
    const answer = await fetch(new URL(address, api.url), {
      method,
      headers: { ...authorization, 'content-type': 'application/octet-stream', ...headers },
      signal: AbortSignal.timeout(callLimitMs),
      ...(body === undefined ? {} : { body }),
    })
    return { outcome: String(answer.status), text: await beginningOf(answer) }
  }
  const json = { 'content-type': 'application/json' }
  const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' }
  /** Begins an upload and sends it in two pieces, so that the tree can change in between. */
  const upload = async (place: string): Promise<CallAnswer> => {
    const metadata = `path ${Buffer.from(place).toString('base64')}`
    const begun = await ask('POST', '/api/files/uploads', undefined, { ...tus, 'upload-length': '4', 'upload-metadata': metadata })
    if (begun.outcome !== '201') return begun
    const address = `/api/files/uploads/${String((JSON.parse(begun.text) as { readonly id: string }).id)}`
    await ask('PATCH', address, 'mi', { ...tus, 'upload-offset': '0' })
    const last = await ask('PATCH', address, 'ne', { ...tus, 'upload-offset': '2' })
    if (!last.outcome.startsWith('2')) await ask('DELETE', address)
    return last
  }
  const presigned = async (place: string): Promise<CallAnswer> => {
    const { status, body } = await api.request('POST', '/api/files/presign', { path: place })
    return status >= 300 ? { outcome: String(status), text: JSON.stringify(body) } : ask('GET', String(body['url']))
  }
  /** What earlier calls have left for later ones: the tree changes in between. */
  let url: string | undefined
  let presignId = ''
  let open: string | undefined
  const presign = async (place: string, method: 'GET' | 'HEAD'): Promise<CallAnswer> => {
    const { status, body } = await api.request('POST', '/api/files/presign', { path: place, method })
    if (status < 300 && method === 'GET') [url, presignId] = [String(body['url']), String(body['id'])]
    return { outcome: String(status), text: status < 300 && method === 'HEAD' ? String(body['url']) : JSON.stringify(body) }
  }
  const headPresigned = async (place: string): Promise<CallAnswer> => {
    const made = await presign(place, 'HEAD')
    return made.outcome === '200' ? ask('HEAD', made.text) : made
  }
  const beginUpload = async (place: string): Promise<CallAnswer> => {
    if (open !== undefined) await ask('DELETE', open, undefined, tus)
    const metadata = `path ${Buffer.from(place).toString('base64')}`
    const begun = await ask('POST', '/api/files/uploads', undefined, { ...tus, 'upload-length': '4', 'upload-metadata': metadata })
    open = begun.outcome === '201' ? `/api/files/uploads/${String((JSON.parse(begun.text) as { readonly id: string }).id)}` : undefined
    return begun
  }
  const endUpload = async (): Promise<CallAnswer> => {
    if (open === undefined) return { outcome: 'nothing', text: '' }
    const address = open
    open = undefined
    const last = await ask('PATCH', address, 'mine', { ...tus, 'upload-offset': '0' })
    if (!last.outcome.startsWith('2')) await ask('DELETE', address, undefined, tus)
    return last
  }
  /** With the latest of the bin, the one before it, … */
  const withBinned = async (number: number, use: (id: string) => Promise<CallAnswer>): Promise<CallAnswer> => {
    const { status, body } = await api.request('GET', '/api/files/bin?limit=20')
    if (status !== 200) return { outcome: String(status), text: JSON.stringify(body) }
    const items = body['items'] as readonly { readonly id: string }[]
    const found = items[number % Math.max(1, items.length)]
    return found ? use(found.id) : { outcome: 'nothing', text: '' }
  }
  const copy = (from: string, target: string): Promise<CallAnswer> =>
    ask('POST', '/api/files/copy', JSON.stringify({ from, to: target }), json)
  return ({ name, at, to }) => {
    const outside = `files/${keptFolder}/${names[to % names.length] ?? 'b'}`
    const file = names[at % names.length] ?? 'a'
    const other = names[to % names.length] ?? 'b'
    const place = `workspaces/${workspace}/${file}`
    const content = `/api/files/content?path=${encodeURIComponent(place)}`
    switch (name) {
      case 'read_file':
        return useTool(name, { path: file })
      case 'write_file':
        return useTool(name, { path: file, content: 'mine' })
      case 'edit_file':
        return useTool(name, { path: file, old_text: 'mine', new_text: 'own' })
      case 'list_files':
        return useTool(name, to % 2 === 0 ? { recursive: true } : { path: file })
      case 'search_files':
        return useTool(name, { query: 'canary' })
      case 'delete_file':
        return useTool(name, { path: file, recursive: to % 2 === 0 })
      case 'move_file':
        return useTool(name, { from: file, to: other })
      case 'GET content':
        return ask('GET', content)
      case 'GET range':
        return ask('GET', content, undefined, { range: 'bytes=0-10' })
      case 'PUT content':
        return ask('PUT', content, 'mine')
      case 'DELETE content':
        return ask('DELETE', content)
      case 'GET list':
        return ask('GET', `/api/files?path=${encodeURIComponent(place)}`)
      case 'GET usage':
        return ask('GET', '/api/files/usage')
      case 'GET presigned':
        return presigned(place)
      case 'HEAD content':
        return ask('HEAD', content)
      case 'tus upload':
        return upload(place)
      case 'GET search':
        return ask('GET', `/api/files/search?name=e&path=${encodeURIComponent(to % 2 === 0 ? `workspaces/${workspace}` : place)}`)
      case 'GET checksum':
        return ask('GET', `/api/files/checksum?path=${encodeURIComponent(place)}`)
      case 'POST copy':
      case 'POST move': {
        const target = `workspaces/${workspace}/${other}`
        return ask('POST', `/api/files/${name.slice('POST '.length)}`, JSON.stringify({ from: place, to: target }), json)
      }
      case 'POST copy out':
        return copy(place, outside)
      case 'POST copy back':
        return copy(outside, place)
      case 'GET content out':
        return ask('GET', `/api/files/content?path=${encodeURIComponent(outside)}`)
      case 'POST bin':
        return ask('POST', '/api/files/bin', JSON.stringify({ path: outside }), json)
      case 'GET bin':
        return ask('GET', '/api/files/bin?limit=20')
      case 'POST restore':
        return withBinned(at, (id) => ask('POST', `/api/files/bin/${id}/restore`))
      case 'DELETE binned':
        return withBinned(at, (id) => ask('DELETE', `/api/files/bin/${id}`))
      case 'DELETE bin':
        return ask('DELETE', '/api/files/bin')
      case 'POST presign':
        return presign(place, 'GET')
      case 'HEAD presigned':
        return headPresigned(place)
      case 'GET earlier presigned':
        return url === undefined ? Promise.resolve({ outcome: 'nothing', text: '' }) : ask('GET', url)
      case 'DELETE presigned':
        return ask('DELETE', `/api/files/presign/${presignId}`)
      case 'tus begin':
        return beginUpload(place)
      case 'tus end':
        return endUpload()
      case 'POST export':
        return ask('POST', '/api/users/me/export')
      case 'POST folders':
        return ask('POST', '/api/files/folders', JSON.stringify({ path: place }), json)
    }
  }
}

const maxBytes = 65_536

/** At most so much: a sparse file has more than the tests have time for. */
async function beginningOf(answer: Response): Promise<string> {
  let text = ''
  if (answer.body === null) return text
  const decoder = new TextDecoder()
  for await (const bytes of answer.body) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > maxBytes) break
  }
  return text
}
