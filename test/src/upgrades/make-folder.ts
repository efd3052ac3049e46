import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@agent-service/sdk/testing'
import { type Api, signUp } from '../support/api.js'
import { startServiceProcess } from '../support/service-process.js'
import { type FolderContents, type Json, readAdministration, readPerson } from './folder-contents.js'
import { upgradeEnvironment, upgradeFolders, writeUpgradeConfiguration } from './upgrade-folders.js'
import { startUpgradeModel } from './upgrade-model.js'

const run = promisify(execFile)
const password = 'a long enough password'
const filesOf = { ada: ['files/notes.txt', 'files/reports/year.csv'], grace: ['files/letter.md'] } as const

/**
 * Makes a data folder with something of everything that this release keeps, kills the service while
 * runs are under way, and stores the folder beside a list of what it holds: `node
 * test/dist/upgrades/make-folder.js <release>`. Later releases have to open it.
 */
async function makeFolder(release: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-upgrade-'))
  const model = await startUpgradeModel()
  await writeUpgradeConfiguration(folder)
  const environment = upgradeEnvironment(model.url)
  const service = await startServiceProcess({ folder, environment })
  try {
    const ada = await signUp(service.url, 'ada', password)
    const grace = await signUp(service.url, 'grace', password)
    const token = await fillAdministration(ada, grace)
    await fillPerson(ada, 'ada')
    await fillPerson(grace, 'grace')
    const openRuns = { ada: await leaveRunsOpen(ada), grace: await leaveRunsOpen(grace) }
    await eventually(() => model.waiting() >= 4, { what: () => ({ modelCalls: model.waiting() }) })
    const day = new Date().toISOString().slice(0, 10)
    const contents: FolderContents = {
      ...{ password, token, day, openRuns },
      people: [await readPerson(ada, 'ada', { day, files: filesOf.ada }), await readPerson(grace, 'grace', { day, files: filesOf.grace })],
      admin: await readAdministration(ada),
    }
    await service.kill()
    const target = path.join(upgradeFolders, release)
    await rm(target, { recursive: true, force: true })
    await mkdir(target, { recursive: true })
    await run('tar', ['--create', '--gzip', '--file', path.join(target, 'data.tar.gz'), '--directory', folder, 'data'])
    await writeFile(path.join(target, 'contents.json'), `${JSON.stringify(contents, null, 1)}\n`)
  } finally {
    await service.kill()
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function send(api: Api, method: string, place: string, body?: unknown): Promise<Json> {
  const answer = await api.request(method, place, body)
  if (answer.status >= 300) throw new Error(`${method} ${place} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function fillAdministration(ada: Api, grace: Api): Promise<string> {
  await send(ada, 'POST', '/api/admin/credentials', { brand: 'groq', label: 'Ours', api_key: 'gsk-upgrade-0123456789' })
  await send(ada, 'POST', '/api/admin/policies', {
    text: '@description("No deletions by helpers.")\nforbid (principal is Agent, action == Action::"use_tool", resource == Tool::"delete_file");',
  })
  await send(ada, 'PUT', `/api/admin/budgets/${grace.userId}`, { period: 'month', limit_tokens: 1_000_000 })
  const { token } = await send(ada, 'POST', '/api/auth/tokens', { name: 'upgrade' })
  return String(token)
}

async function fillPerson(api: Api, username: keyof typeof filesOf): Promise<void> {
  for (const file of filesOf[username]) await putFile(api, file, `${file} of ${username}\n`.repeat(50))
  await send(api, 'PATCH', '/api/auth/me', { name: username.toUpperCase(), timezone: 'Europe/Vienna' })
  await send(api, 'POST', '/api/agents', { handle: 'helper', name: 'Helper', instructions: 'Help.' })
  const space = await send(api, 'POST', '/api/spaces', { name: 'Garden', context: 'We grow tomatoes.' })
  const chat = await send(api, 'POST', '/api/chats', {})
  const place = `/api/chats/${String(chat['id'])}`
  const first = await say(api, place, 'Hello')
  await say(api, place, 'Tell me more', { attachments: [{ path: filesOf[username][0] }] })
  await say(api, place, 'Hello again', { replaces: first })
  await send(api, 'PATCH', place, { title: 'Branched', space_id: space['id'] })
  const archived = await send(api, 'POST', '/api/chats', { title: 'Archived' })
  await say(api, `/api/chats/${String(archived['id'])}`, 'An old story')
  await send(api, 'PATCH', `/api/chats/${String(archived['id'])}`, { archived: true })
  await send(api, 'POST', '/v1/chat/completions', {
    model: 'agent/helper',
    messages: [{ role: 'user', content: 'From elsewhere' }],
  })
}

async function putFile(api: Api, file: string, text: string): Promise<void> {
  const response = await fetch(`${api.url}/api/files/content?path=${encodeURIComponent(file)}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/octet-stream' },
    body: text,
  })
  if (!response.ok) throw new Error(`Writing ${file} answered ${response.status}: ${await response.text()}`)
}

/** Posts a message and waits for its run to end. Gives the id of the message. */
async function say(api: Api, chat: string, content: string, more: object = {}): Promise<string> {
  const posted = await send(api, 'POST', `${chat}/messages`, { content, ...more })
  await statusOf(api, String((posted['run'] as Json)['id']), ['completed'])
  return String((posted['message'] as Json)['id'])
}

async function statusOf(api: Api, runId: string, wanted: readonly string[]): Promise<void> {
  const read = () => send(api, 'GET', `/api/runs/${runId}`)
  await eventually(async () => wanted.includes(String((await read())['status'])), { what: read })
}

/** One that a model is answering, one that waits for the person, one that has delegated. */
async function leaveRunsOpen(api: Api): Promise<readonly string[]> {
  const runs: string[] = []
  for (const [content, status] of [
    ['wait', 'running'],
    ['ask', 'waiting'],
    ['delegate', 'running'],
  ] as const) {
    const chat = await send(api, 'POST', '/api/chats', {})
    const posted = await send(api, 'POST', `/api/chats/${String(chat['id'])}/messages`, { content })
    const id = String((posted['run'] as Json)['id'])
    await statusOf(api, id, [status])
    runs.push(id)
  }
  return runs
}

const [release] = process.argv.slice(2)
if (release === undefined || !/^\d+\.\d+\.\d+(-[a-z0-9.-]+)?$/.test(release))
  throw new Error('Name the release: node test/dist/upgrades/make-folder.js 0.1.0')
await makeFolder(release)
