import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, type EventStream, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { endOf, type SeenMessage } from './support/agents-kernel.js'
import { calling, type KeepingUpstream, startKeepingUpstream } from './support/keeping-upstream.js'

const mebibyte = 1024 * 1024
const zip = Buffer.from('PK\x03\x04\xff\xfe\xfd', 'latin1')
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const log = Buffer.alloc(30 * mebibyte, 'a line of a log\n')

type Body = Readonly<Record<string, unknown>>

/** The whole text that a model was sent of a person's messages. */
const textOf = (sent: KeepingUpstream['sent'][number] | undefined): string =>
  JSON.stringify(sent?.messages.filter(({ role }) => role === 'user') ?? [])

describe('files that a person gives to an agent with tools for files', function () {
  this.timeout(60_000)
  let folder: string
  let upstream: KeepingUpstream
  let kernel: TestKernel
  let ada: Api
  let stream: EventStream
  let root: string
  const agents = new Map<string, { readonly id: string; readonly workspace: string }>()

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-given-files-'))
    upstream = await startKeepingUpstream()
    await writeConfiguration(folder, upstream.url)
    kernel = await createTestKernel({
      folder,
      environment: { UPSTREAM_KEY: 'key', SERVICE_STORAGE_MAX_BYTES_PER_USER: String(180 * mebibyte) },
    })
    ada = await signUp(kernel.url, 'ada')
    stream = await ada.stream()
    root = path.join(kernel.folder, 'data', 'users', 'ada')
    for (const [handle, tools] of [
      ['reader', ['read_file', 'list_files']],
      ['other', ['read_file']],
      ['talker', ['get_time', 'write_file']],
    ] as const) {
      const { body } = await ada.request('POST', '/api/agents', { handle, name: handle, tools })
      agents.set(handle, { id: String(body['id']), workspace: String(body['workspace']) })
    }
    await write('files/plans.zip', zip)
    await write('files/more/plans.zip', Buffer.concat([zip, Buffer.from('more')]))
    await write('files/notes.md', 'Buy tea.')
    await write('files/service.log', log)
    await write('files/large.png', Buffer.concat([png, Buffer.alloc(5 * mebibyte)]))
    await write('files/empty.txt', '')
  })
  after(async () => {
    stream?.close()
    await kernel?.stop()
    await upstream?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const write = async (name: string, content: string | Buffer): Promise<void> => {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), content)
  }
  const agentOf = (handle: string) => agents.get(handle) ?? expect.fail('no agent')
  const placeOf = (handle: string): string => path.join(root, 'workspaces', agentOf(handle).workspace, 'attachments')
  const filesOf = (handle: string): Promise<readonly string[]> => readdir(placeOf(handle)).catch(() => [])
  const attaching = (...paths: readonly string[]) => ({ attachments: paths.map((each) => ({ path: each })) })
  const newChat = async (handle = 'reader'): Promise<string> =>
    String((await ada.request('POST', '/api/chats', { agent_id: agentOf(handle).id })).body['id'])
  const post = async (chat: string, body: object, key?: string) => {
    const answer = await fetch(`${kernel.url}/api/chats/${chat}/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ada.token}`,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Body }
  }
  const check = async (handle: string, ...paths: readonly string[]): Promise<readonly Body[]> =>
    (await ada.request('POST', '/api/chats/attachments', { ...attaching(...paths), agent_id: agentOf(handle).id })).body[
      'files'
    ] as readonly Body[]
  const messagesOf = async (chat: string): Promise<readonly SeenMessage[]> =>
    (await ada.request('GET', `/api/chats/${chat}/messages`)).body['items'] as readonly SeenMessage[]
  const ended = async ({ status, body }: { readonly status: number; readonly body: Body }): Promise<void> => {
    expect(status, JSON.stringify(body)).to.equal(202)
    expect((await endOf(stream, (body['run'] as { readonly id: string }).id)).name).to.equal('run.completed')
  }
  const withPolicy = async (text: string, work: () => Promise<void>): Promise<void> => {
    const added = await ada.request('POST', '/api/admin/policies', { text })
    expect(added.status, JSON.stringify(added.body)).to.equal(201)
    try {
      await work()
    } finally {
      await ada.request('DELETE', `/api/admin/policies/${String(added.body['id'])}`)
    }
  }

  it('lie in its workspace, whatever they are, and its model is told where', async () => {
    const chat = await newChat()
    upstream.script(calling('list_files', { path: 'attachments' }))
    await ended(await post(chat, { content: 'What is in it?', ...attaching('files/plans.zip', 'files/notes.md') }))
    expect(await readFile(path.join(placeOf('reader'), 'plans.zip'))).to.deep.equal(zip)
    expect(await readFile(path.join(placeOf('reader'), 'notes.md'), 'utf8')).to.equal('Buy tea.')
    const sent = textOf(upstream.sent.at(-1))
    expect(sent).to.contain('[The file “plans.zip” lies in your workspace as “attachments/plans.zip” (7 bytes).]')
    expect(sent).to.contain('[The file “notes.md” lies in your workspace as “attachments/notes.md” (8 bytes).]')
    expect(sent, 'what a model can read').to.contain('Buy tea.')
    const [question, , results] = await messagesOf(chat)
    expect(JSON.stringify(results?.content)).to.contain('plans.zip')
    const workspace = `workspaces/${agentOf('reader').workspace}/attachments`
    expect(question?.content[0]).to.include({ type: 'file', name: 'plans.zip', path: 'files/plans.zip', size: 7 })
    expect(question?.content[0]).to.deep.include({ workspace_paths: [`${workspace}/plans.zip`] })
    expect(question?.content.at(-1), 'what the person wrote stays alone').to.include({ type: 'text', text: 'What is in it?' })
    expect(question?.content).to.have.length(3)
  })

  it('are there once: when the request is repeated, and when the same content comes again', async () => {
    const chat = await newChat()
    const before = await filesOf('reader')
    await ended(await post(chat, { content: 'Look', ...attaching('files/plans.zip') }, 'key-1'))
    expect((await post(chat, { content: 'Look', ...attaching('files/plans.zip') }, 'key-1')).status).to.equal(202)
    await ended(await post(chat, { content: 'Again', ...attaching('files/plans.zip') }))
    expect(await filesOf('reader')).to.deep.equal(before)
    expect(await messagesOf(chat)).to.have.length(4)
  })

  it('get another name where theirs has another content', async () => {
    const chat = await newChat()
    const content = await readFile(path.join(root, 'files/more/plans.zip'))
    const marked = `plans-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.zip`
    for (const words of ['Once', 'Twice']) await ended(await post(chat, { content: words, ...attaching('files/more/plans.zip') }))
    expect((await filesOf('reader')).filter((name) => name.startsWith('plans'))).to.have.members(['plans.zip', marked])
    expect(await readFile(path.join(placeOf('reader'), marked))).to.deep.equal(content)
    expect(await readFile(path.join(placeOf('reader'), 'plans.zip'))).to.deep.equal(zip)
    expect(textOf(upstream.sent.at(-1))).to.contain(`[The file “plans.zip” lies in your workspace as “attachments/${marked}”`)
  })

  it('lie there alone where they are too large for a model, or empty', async () => {
    const chat = await newChat()
    await ended(await post(chat, { content: 'Look', ...attaching('files/service.log', 'files/large.png', 'files/empty.txt') }))
    const sent = textOf(upstream.sent.at(-1))
    expect(sent).to.contain('“attachments/service.log” (31.5 MB)').and.to.contain('“attachments/large.png” (5.2 MB)')
    expect(sent).to.contain('“attachments/empty.txt” (0 bytes)')
    expect(sent.length).to.be.below(3_000)
    expect((await readFile(path.join(placeOf('reader'), 'service.log'))).equals(log)).to.equal(true)
  })

  it('are not copied where they lie in that workspace already', async () => {
    const chat = await newChat()
    const own = `workspaces/${agentOf('reader').workspace}/data/table.sqlite`
    await write(own, Buffer.from('SQLite format 3\0'))
    const before = await filesOf('reader')
    await ended(await post(chat, { content: 'Look', ...attaching(own) }))
    expect(await filesOf('reader')).to.deep.equal(before)
    expect(textOf(upstream.sent.at(-1))).to.contain('lies in your workspace as “data/table.sqlite” (16 bytes)')
  })

  it('are refused by an agent without such tools, with how to go on, before and with the message; nothing is stored', async () => {
    const how = /To give it to an agent, choose one with tools for files/
    const [refused, shown] = await check('talker', 'files/plans.zip', 'files/notes.md')
    expect(refused).to.include({ shown: false, in_workspace: false, needs_file_tools: true })
    expect(refused?.['problem']).to.match(how)
    expect(shown).to.include({ shown: true, in_workspace: false, problem: null })
    expect((await ada.request('GET', `/api/chats/attachments?agent_id=${agentOf('talker').id}`)).body).to.include({ in_workspace: false })
    expect((await ada.request('GET', `/api/chats/attachments?agent_id=${agentOf('reader').id}`)).body).to.include({ in_workspace: true })
    const chat = await newChat('talker')
    const answer = await post(chat, { content: 'Look', ...attaching('files/plans.zip', 'files/notes.md') })
    expect(answer.status).to.equal(422)
    expect(JSON.stringify(answer.body['errors'])).to.match(how)
    expect(await messagesOf(chat)).to.deep.equal([])
    expect(await filesOf('talker')).to.deep.equal([])
  })

  it('are announced as they will be, and nothing is copied for that', async () => {
    const [archive, notes, absent] = await check('other', 'files/plans.zip', 'files/notes.md', 'files/absent.zip')
    expect(archive).to.include({ shown: false, in_workspace: true, problem: null })
    expect(notes).to.include({ shown: true, in_workspace: true, problem: null })
    expect(absent).to.include({ in_workspace: false, problem: 'names a file that does not exist', needs_file_tools: false })
    expect(await filesOf('other')).to.deep.equal([])
  })

  it('lie in the workspace of another agent that answers the message again', async () => {
    const chat = await newChat()
    await ended(await post(chat, { content: 'Look', ...attaching('files/plans.zip') }))
    await ended(await post(chat, { content: 'And you?', agent_id: agentOf('other').id }))
    expect(textOf(upstream.sent.at(-1))).to.contain('was attached for another agent and does not lie in your workspace')
    const [question] = await messagesOf(chat)
    const again = { message_id: question?.id, agent_id: agentOf('other').id }
    await ended(await ada.request('POST', `/api/chats/${chat}/regenerate`, again))
    expect(await filesOf('other')).to.deep.equal(['plans.zip'])
    expect(textOf(upstream.sent.at(-1))).to.contain('lies in your workspace as “attachments/plans.zip”')
    const [changed] = await messagesOf(chat)
    expect(changed?.content[0]?.['workspace_paths']).to.deep.equal(
      ['reader', 'other'].map((handle) => `workspaces/${agentOf(handle).workspace}/attachments/plans.zip`),
    )
  })

  it('are exported by their names, and an imported chat says that they are not in it', async () => {
    const chat = await newChat()
    await ended(await post(chat, { content: 'Keep it', ...attaching('files/plans.zip') }))
    const exported = (await ada.request('GET', `/api/chats/${chat}/export`)).body
    expect(JSON.stringify(exported)).to.not.contain('lies in your workspace')
    const imported = await ada.request('POST', '/api/chats/import', exported)
    expect(imported.status, JSON.stringify(imported.body)).to.equal(201)
    const id = String(imported.body['id'])
    const [question] = await messagesOf(id)
    expect(question?.content[0]).to.include({ type: 'file', name: 'plans.zip' })
    await ended(await post(id, { content: 'Still there?' }))
    expect(textOf(upstream.sent.at(-1))).to.contain(
      '“plans.zip” was attached to this message before it came into this chat; it is not here.',
    )
  })

  it('are refused where the policies do not let the person write, or a link leads out of the workspace', async () => {
    const workspace = agentOf('other').workspace
    await rm(placeOf('other'), { recursive: true, force: true })
    const chat = await newChat('other')
    await withPolicy(
      `forbid (principal is User, action == Action::"write_file", resource is File) when { resource.path like "workspaces/${workspace}/*" };`,
      async () => {
        const [checked] = await check('other', 'files/plans.zip')
        expect(checked?.['problem']).to.match(/policies of this service do not allow you to write/)
        expect((await post(chat, { content: 'Look', ...attaching('files/plans.zip') })).status).to.equal(422)
      },
    )
    const outside = await mkdtemp(path.join(tmpdir(), 'agent-service-outside-'))
    await symlink(outside, placeOf('other'))
    const answer = await post(chat, { content: 'Look', ...attaching('files/plans.zip') })
    expect([answer.status, JSON.stringify(answer.body['errors'])].join()).to.match(/^422,.*cannot be put into the folder “attachments”/)
    expect(await readdir(outside)).to.deep.equal([])
    expect(await messagesOf(chat)).to.deep.equal([])
    await rm(placeOf('other'))
    await rm(outside, { recursive: true })
  })

  it('count as the files of the person: without room they are refused, and say so beforehand', async () => {
    const uploaded = await fetch(`${kernel.url}/api/files/content?path=files/films/film.mp4`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/octet-stream' },
      body: Buffer.alloc(90 * mebibyte, 1),
    })
    expect(uploaded.status).to.equal(201)
    const chat = await newChat()
    const [checked] = await check('reader', 'files/films/film.mp4')
    expect(checked).to.include({ in_workspace: false, needs_file_tools: false })
    expect(checked?.['problem']).to.match(/has no room in the workspace of this agent/)
    const answer = await post(chat, { content: 'Look', ...attaching('files/films/film.mp4') })
    expect([answer.status, JSON.stringify(answer.body['errors'])].join()).to.match(/^422,.*has no room in the workspace/)
    expect(await messagesOf(chat)).to.deep.equal([])
    expect(await filesOf('reader')).to.not.include('film.mp4')
  })
})
