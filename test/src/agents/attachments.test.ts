import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { ephemeralTokensToken } from '@agent-service/kernel/testing/tokens'
import { expect } from 'chai'
import { type Api, type EventStream, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { endOf, type SeenMessage } from './support/agents-kernel.js'
import { type KeepingUpstream, startKeepingUpstream } from './support/keeping-upstream.js'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const pdf = Buffer.from('%PDF-1.4\n%âãÏÓ\ntrailer', 'latin1')
const notes = '# Notes\nBuy wüsten tea.\n'

describe('files that a person attaches for an agent without tools for files', () => {
  let folder: string
  let upstream: KeepingUpstream
  let kernel: TestKernel
  let ada: Api
  let stream: EventStream
  let root: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-attachments-'))
    upstream = await startKeepingUpstream()
    await writeConfiguration(folder, upstream.url)
    kernel = await createTestKernel({ folder, environment: { UPSTREAM_KEY: 'key' } })
    ada = await signUp(kernel.url, 'ada')
    stream = await ada.stream()
    const { items } = (await ada.request('GET', '/api/agents')).body as { readonly items: readonly { readonly id: string }[] }
    for (const { id } of items) await ada.request('PATCH', `/api/agents/${id}`, { tools: ['get_time'] })
    root = path.join(kernel.folder, 'data', 'users', 'ada')
    const write = async (name: string, content: string | Buffer): Promise<void> => {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true })
      await writeFile(path.join(root, name), content)
    }
    await write('files/pictures/pixel.txt', Buffer.from(pixel, 'base64'))
    await write('files/paper.bin', pdf)
    await write('workspaces/assistant/notes.md', notes)
    await write('files/archive.zip', Buffer.from('PK\x03\x04\xff\xfe\xfd', 'latin1'))
    await write('files/huge.pdf', Buffer.concat([pdf, Buffer.alloc(6 * 1024 * 1024)]))
    await write('files/huge.txt', Buffer.alloc(200 * 1024 + 1, 'a'))
    await write('secret.md', 'not a file of hers')
    await symlink('../secret.md', path.join(root, 'files', 'way-out.md'))
    const other = path.join(kernel.folder, 'data', 'users', 'eve', 'files')
    await mkdir(other, { recursive: true })
    await writeFile(path.join(other, 'diary.md'), 'eve alone')
  })
  after(async () => {
    stream?.close()
    await kernel?.stop()
    await upstream?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const newChat = async (): Promise<string> => String((await ada.request('POST', '/api/chats', {})).body['id'])
  const post = (chat: string, body: object) => ada.request('POST', `/api/chats/${chat}/messages`, body)
  const attaching = (...paths: readonly string[]) => ({ attachments: paths.map((path) => ({ path })) })
  const messagesOf = async (chat: string): Promise<readonly SeenMessage[]> =>
    (await ada.request('GET', `/api/chats/${chat}/messages`)).body['items'] as readonly SeenMessage[]
  /** Posts, and waits until it is answered. */
  const ask = async (chat: string, body: object): Promise<void> => {
    const { status, body: answer } = await post(chat, body)
    expect(status, JSON.stringify(answer)).to.equal(202)
    expect((await endOf(stream, (answer['run'] as { readonly id: string }).id)).name).to.equal('run.completed')
  }
  /** What the vendor was sent last: the parts of the person's first message. */
  const firstSent = () => {
    const content = upstream.sent.at(-1)?.messages.find(({ role }) => role === 'user')?.content
    return Array.isArray(content) ? (content as readonly Readonly<Record<string, unknown>>[]) : expect.fail('no parts')
  }

  it('are shown to the model before the text, recognised by their content; later turns show them again', async () => {
    const chat = await newChat()
    const all = attaching('files/pictures/pixel.txt', 'files/paper.bin', 'workspaces/assistant/notes.md')
    await ask(chat, { content: 'What is this?', ...all })
    const notesAsText = `File notes.md (text/markdown), from one line of 3 backticks to the next:\n\`\`\`\n${notes.trimEnd()}\n\`\`\``
    const expected = [
      { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
      { type: 'file', file: { filename: 'paper.bin', file_data: `data:application/pdf;base64,${pdf.toString('base64')}` } },
      { type: 'text', text: notesAsText },
      { type: 'text', text: 'What is this?' },
    ]
    expect(firstSent().slice(0, 4)).to.deep.equal(expected)
    // What the message showed stays, whatever becomes of the file.
    await writeFile(path.join(root, 'workspaces', 'assistant', 'notes.md'), 'changed')
    const asked = upstream.sent.length
    await ask(chat, { content: 'And now?' })
    expect(upstream.sent.length).to.equal(asked + 1)
    expect(firstSent().slice(0, 4)).to.deep.equal(expected)
    await writeFile(path.join(root, 'workspaces', 'assistant', 'notes.md'), notes)
  })

  it('are shown to clients by their paths, without their bytes; the file can be fetched while it is unchanged', async () => {
    const chat = await newChat()
    await ask(chat, attaching('files/pictures/pixel.txt'))
    const [question] = await messagesOf(chat)
    const [part, ...rest] = question?.content ?? []
    expect(rest).to.deep.equal([])
    expect(part).to.include({
      ...{ type: 'image', media_type: 'image/png', name: 'pixel.txt', path: 'files/pictures/pixel.txt' },
      size: Buffer.from(pixel, 'base64').length,
    })
    const created = await stream.until(({ name, data }) => name === 'message.created' && data['chat_id'] === chat)
    for (const shown of [question, created.data]) expect(JSON.stringify(shown)).to.not.include(pixel.slice(0, 40))
    expect((await ada.request('GET', `/api/chats/${chat}`)).body).to.have.property('title', 'pixel.txt')
    const address = `${kernel.url}/api/files/content?path=${encodeURIComponent(String(part?.['path']))}`
    const headers = { authorization: `Bearer ${ada.token}`, 'if-match': String(part?.['etag']) }
    const fetched = await fetch(address, { headers })
    expect([fetched.status, Buffer.from(await fetched.arrayBuffer()).toString('base64')]).to.deep.equal([200, pixel])
  })

  it('are exported with their bytes, and imported again', async () => {
    const chat = await newChat()
    await ask(chat, { content: 'Keep it', ...attaching('files/pictures/pixel.txt') })
    const exported = (await ada.request('GET', `/api/chats/${chat}/export`)).body
    const imported = await ada.request('POST', '/api/chats/import', exported)
    expect(imported.status, JSON.stringify(imported.body)).to.equal(201)
    const asked = upstream.sent.length
    await ask(String(imported.body['id']), { content: 'Still there?' })
    expect(upstream.sent.length).to.equal(asked + 1)
    expect(firstSent()[0]).to.deep.equal({ type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } })
  })

  it('are refused with the reason for each, and nothing is stored', async () => {
    const chat = await newChat()
    const paths = [
      'files/archive.zip',
      'files/absent.md',
      'files/pictures',
      'files/way-out.md',
      'files/../secret.md',
      'secret.md',
      'files/../../eve/files/diary.md',
      'files/huge.txt',
    ]
    const together = await post(chat, { content: 'Look', ...attaching(...paths) })
    expect(together.status).to.equal(422)
    const problems = together.body['errors'] as readonly { readonly path: string; readonly message: string }[]
    expect(problems.map(({ path }) => path)).to.deep.equal([1, 2, 3, 4, 5, 6, 7].map((index) => `/attachments/${index}/path`))
    const alone = await post(chat, { content: 'Look', ...attaching('files/archive.zip') })
    expect(alone.status).to.equal(422)
    expect(JSON.stringify(alone.body['errors'])).to.match(/attachments\/0\/path.*cannot be shown to a model/)
    const many = await post(chat, { content: 'Look', ...attaching(...Array.from({ length: 21 }, () => 'files/paper.bin')) })
    expect([many.status, JSON.stringify(many.body['errors'])].join()).to.match(/^422,.*"\/attachments"/)
    const huge = await post(chat, { content: 'Look', ...attaching('files/huge.pdf') })
    expect([huge.status, huge.body['code']]).to.deep.equal([413, 'message_too_long'])
    for (const empty of [{}, { content: '' }, { content: '', attachments: [] }]) expect((await post(chat, empty)).status).to.equal(422)
    expect(await messagesOf(chat)).to.deep.equal([])
  })

  it('are attached only by people: a program that acts for a person neither writes nor reads files that way', async () => {
    const chat = await newChat()
    const agentId = String(((await ada.request('GET', '/api/agents')).body['items'] as readonly { readonly id: string }[])[0]?.id)
    const { token } = await kernel.container
      .resolve(ephemeralTokensToken)
      .issue({ userId: ada.userId, actor: { kind: 'agent', id: agentId, purpose: 'sandbox' } })
    const send = (body: object) =>
      fetch(`${kernel.url}/api/chats/${chat}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    for (const body of [{ content: 'Look', ...attaching('workspaces/assistant/notes.md') }, { content: 'Look' }]) {
      const refused = await send(body)
      expect([refused.status, ((await refused.json()) as { readonly code: string }).code]).to.deep.equal([403, 'people_only'])
    }
    expect(await messagesOf(chat)).to.deep.equal([])
  })
})
