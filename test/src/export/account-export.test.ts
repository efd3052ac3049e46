import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { confirm } from '../support/api.js'
import diaryPlugin, { setDiary } from './support/diary-plugin.js'
import { readZip, recordsOf } from './support/read-zip.js'

const route = '/api/users/me/export'

interface Manifest {
  readonly complete: boolean
  readonly parts: readonly {
    readonly id: string
    readonly records: number
    readonly complete: boolean
    readonly problems: readonly object[]
  }[]
  readonly files: readonly {
    readonly id: string
    readonly files: number
    readonly bytes: number
    readonly skipped: number
    readonly forbidden: { readonly count: number; readonly paths: readonly string[] }
    readonly complete: boolean
    readonly problems: readonly { readonly code: string }[]
  }[]
  readonly absent_plugins: readonly object[]
}

describe('the export of everything that an account has', () => {
  let folder: string
  let agents: AgentsKernel
  let admin: Person
  let ada: Person
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-export-'))
    const diary = await writeTestPlugin(path.join(folder, 'diary'), diaryPlugin, new URL('./support/diary-plugin.js', import.meta.url))
    agents = await startAgentsKernel({ plugins: [diary] })
    admin = await agents.person('root')
    ada = await agents.person('ada')
  })
  after(async () => {
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() =>
    setDiary(async function* () {
      yield { path: 'today.json', json: { text: 'Rain.' } }
    }),
  )

  const request = (person: Person, token = person.token, signal?: AbortSignal): Promise<Response> =>
    fetch(`${person.url}${route}`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, ...(signal ? { signal } : {}) })
  const problemOf = async (response: Response) => ({ status: response.status, code: ((await response.json()) as { code: string }).code })
  const archiveOf = async (person: Person) => {
    const response = await request(person)
    expect(response.status).to.equal(200)
    const files = readZip(Buffer.from(await response.arrayBuffer()))
    return { response, files, manifest: JSON.parse(String(files.get('manifest.json'))) as Manifest }
  }
  const partOf = ({ parts }: Manifest, id: string) => parts.find((part) => part.id === id)

  it('needs a session that was confirmed, and no token can have it', async () => {
    expect(await problemOf(await request(ada))).to.deep.equal({ status: 403, code: 'confirmation_required' })
    const scopes = ['read', 'write', 'inference']
    const { token } = (await ada.request('POST', '/api/auth/tokens', { name: 'laptop', scopes })).body
    expect(await problemOf(await request(ada, String(token)))).to.deep.equal({ status: 403, code: 'session_required' })
    expect(await problemOf(await fetch(`${ada.url}${route}`, { method: 'POST' }))).to.deep.equal({ status: 401, code: 'unauthenticated' })
    await confirm(ada)
  })

  it('has the profile, chats, usage, files and what describes tokens, and no secret', async () => {
    setScript()
    const stream = await ada.stream()
    const chat = await ada.newChat()
    await endOf(stream, await ada.post(chat, 'What is the weather in Grünau?'))
    stream.close()
    const { token } = (await ada.request('POST', '/api/auth/tokens', { name: 'phone' })).body
    const content = Buffer.alloc(300_000, 'words ')
    for (const name of ['files/notes/plan.txt', 'files/Überblick 1.txt'])
      await fetch(`${ada.url}/api/files/content?path=${encodeURIComponent(name)}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/octet-stream' },
        body: content,
      })

    const { response, files, manifest } = await archiveOf(ada)
    expect(response.headers.get('content-type')).to.equal('application/zip')
    expect(response.headers.get('content-disposition')).to.match(/^attachment; filename="agent-service-ada-\d{4}-\d\d-\d\d\.zip"$/)
    expect(JSON.parse(String(files.get('account.json')))).to.include({ username: 'ada', handle: 'ada', id: ada.userId })
    const messages = recordsOf(files.get('data/agents/messages.ndjson')).map(({ data }) => JSON.stringify(data['content']))
    expect(messages.join()).to.include('What is the weather in Grünau?').and.include('Hello.')
    expect(recordsOf(files.get('data/usage/calls.ndjson'))[0]?.data).to.include({ chat_id: chat, output_tokens: 5 })
    expect(files.get('files/files/notes/plan.txt')?.equals(content)).to.equal(true)
    expect(files.get('files/files/Überblick 1.txt')?.equals(content)).to.equal(true)
    expect(files.get('data/diary/today.json')?.toString()).to.equal('{"text":"Rain."}\n')
    const tokens = recordsOf(files.get('data/kernel-sessions/access-tokens.ndjson')).map(({ data }) => data)
    expect(tokens.map(({ name }) => name)).to.have.members(['laptop', 'phone'])
    for (const data of tokens) expect(data).to.not.have.property('digest')
    const all = [...files.values()].map((file) => file.toString('latin1')).join('\n')
    expect(all).to.not.include(String(token)).and.not.include('argon2').and.not.include(ada.token)

    expect(manifest.complete).to.equal(true)
    expect(files.has('INCOMPLETE.txt')).to.equal(false)
    expect(manifest.absent_plugins).to.deep.equal([])
    expect(partOf(manifest, 'agents')?.records).to.equal(
      [...files].filter(([name]) => name.startsWith('data/agents/')).reduce((sum, [, file]) => sum + recordsOf(file).length, 0),
    )
    expect(manifest.files.find(({ id }) => id === 'files')).to.include({ files: 2, bytes: 600_000, skipped: 0 })
    expect([...files.keys()].at(-1)).to.equal('manifest.json')
  })

  it('has nothing of others, and is in the audit log', async () => {
    await confirm(admin)
    const { files } = await archiveOf(admin)
    const all = [...files.values()].map((file) => file.toString('latin1')).join('\n')
    expect(all).to.not.include('the weather in').and.not.include(ada.userId)
    const entries = (await admin.request('GET', '/api/admin/audit?kind=account.exported')).body['items'] as readonly Record<
      string,
      unknown
    >[]
    expect(entries.map(({ subject_id }) => subject_id)).to.include.members([ada.userId, admin.userId])
    expect(entries[0]).to.include({ operation: 'exportOwnAccount', actor_id: admin.userId })
  })

  it('names a part that fails half-way, keeps what came before, and goes on with the others', async () => {
    setDiary(async function* () {
      yield { path: 'years/2025.json', json: 1 }
      yield { path: 'years/2026.json', json: 2 }
      throw new Error('The diary of /secret/place burnt.')
    })
    const { files, manifest } = await archiveOf(ada)
    expect(manifest.complete).to.equal(false)
    expect(partOf(manifest, 'diary')).to.deep.include({ records: 2, complete: false })
    expect(partOf(manifest, 'diary')?.problems).to.deep.equal([
      { code: 'export_failed', message: 'An internal error occurred; the log of the service has the details.' },
    ])
    expect(recordsOf(files.get('data/diary/years.ndjson')).map(({ path: at }) => at)).to.deep.equal(['years/2025.json', 'years/2026.json'])
    expect(files.get('INCOMPLETE.txt')?.toString()).to.include('manifest.json')
    for (const id of ['agents', 'usage', 'kernel-sessions']) expect(partOf(manifest, id)?.complete, id).to.equal(true)
  })

  describe('under policies', () => {
    const stored: string[] = []
    const forbid = async (text: string) => {
      const made = await admin.request('POST', '/api/admin/policies', { text })
      expect(made.status, JSON.stringify(made.body)).to.equal(201)
      stored.push(String(made.body['id']))
    }
    const put = async (name: string): Promise<void> => {
      const response = await fetch(`${ada.url}/api/files/content?path=${encodeURIComponent(name)}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/octet-stream' },
        body: 'text',
      })
      expect(response.status, name).to.be.oneOf([200, 201, 204])
    }
    beforeEach(async () => {
      await confirm(admin)
      await confirm(ada)
    })
    afterEach(async () => {
      for (const id of stored.splice(0)) await admin.request('DELETE', `/api/admin/policies/${id}`)
    })

    it('leaves out the files that its person may not read, and says which', async () => {
      for (const name of ['files/secret/plan.txt', 'files/secret/deep/er.txt', 'files/open.txt', 'files/secrets.txt']) await put(name)
      await forbid(
        'forbid (principal is User, action == Action::"read_file", resource is File) when { resource.path like "files/secret/*" };',
      )
      const read = await ada.request('GET', '/api/files/content?path=files/secret/plan.txt')
      expect(read.status, 'what the route for its content answers').to.equal(403)
      const { files, manifest } = await archiveOf(ada)
      const names = [...files.keys()].filter((name) => name.startsWith('files/files/'))
      expect(names).to.include.members(['files/files/open.txt', 'files/files/secrets.txt'])
      expect(names.filter((name) => name.includes('secret/'))).to.deep.equal([])
      const part = manifest.files.find(({ id }) => id === 'files')
      expect(part?.forbidden).to.deep.equal({ count: 2, paths: ['secret/deep/er.txt', 'secret/plan.txt'] })
      expect(part?.problems.map(({ code }) => code)).to.deep.equal(['forbidden'])
      expect([manifest.complete, files.has('INCOMPLETE.txt')]).to.deep.equal([false, true])
      await confirm(admin)
      expect((await archiveOf(admin)).manifest.files.every(({ forbidden }) => forbidden.count === 0)).to.equal(true)
    })

    it('leaves out what forbidden operations would show', async () => {
      for (const operation of ['listMessages', 'getFileContent'])
        await forbid(`forbid (principal == User::"${ada.userId}", action == Action::"call", resource == Route::"${operation}");`)
      const { files, manifest } = await archiveOf(ada)
      expect([...files.keys()].filter((name) => /^(data\/agents|files\/files|files\/workspaces)\//.test(name))).to.deep.equal([])
      expect(partOf(manifest, 'agents')?.problems).to.deep.equal([
        {
          code: 'forbidden',
          message: 'This account may not do this: the policies of this service do not permit “listMessages”.',
        },
      ])
      expect(partOf(manifest, 'usage')).to.include({ complete: true })
      expect(manifest.files.find(({ id }) => id === 'files')).to.include({ files: 0, complete: false })
      expect(JSON.stringify([...files.values()].map(String))).to.not.include('the weather in')
      await confirm(admin)
      expect(partOf((await archiveOf(admin)).manifest, 'agents')).to.include({ complete: true })
    })
  })

  it('confines names to their folder', async () => {
    setDiary(async function* () {
      yield { path: '../../etc/passwd', json: 1 }
      yield { path: '/root/.ssh/id.json', json: 2 }
      yield { path: 'a\\..\\b/c d.json', json: 3 }
      yield { path: 'x/1.json', json: 4 }
      yield { path: 'y/1.json', json: 5 }
      yield { path: 'x/2.json', json: 6 }
    })
    const { files, manifest } = await archiveOf(ada)
    expect(manifest.complete).to.equal(true)
    const names = [...files.keys()].filter((name) => name.startsWith('data/diary/'))
    expect(names).to.have.length(6)
    for (const name of names) expect(name).to.match(/^data\/diary(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+\.ndjson$/)
    expect(names.slice(-3)).to.deep.equal(['data/diary/x.ndjson', 'data/diary/y.ndjson', 'data/diary/x-2.ndjson'])
  })

  it('names a plugin that does not run', async () => {
    await confirm(admin)
    await admin.request('POST', '/api/admin/plugins/diary/disable')
    try {
      const { manifest } = await archiveOf(ada)
      expect(manifest.complete).to.equal(false)
      expect(manifest.absent_plugins).to.deep.equal([{ plugin: 'diary', state: 'disabled' }])
    } finally {
      await admin.request('POST', '/api/admin/plugins/diary/enable')
    }
  })

  it('runs once at a time for a user, and ends when the client leaves', async () => {
    let aborted: () => void = () => undefined
    const ended = new Promise<void>((resolve) => {
      aborted = resolve
    })
    const begun = new Promise<void>((resolve) =>
      setDiary(async function* (_, { signal }) {
        yield { path: 'a.json', json: 1 }
        resolve()
        await new Promise<void>((_done, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
        ).catch(aborted)
      }),
    )
    const controller = new AbortController()
    const first = await request(ada, ada.token, controller.signal)
    expect(first.status).to.equal(200)
    const left = first.arrayBuffer().catch((error: unknown) => (error as Error).name)
    await begun
    expect(await problemOf(await request(ada))).to.deep.equal({ status: 429, code: 'limit_reached' })
    controller.abort()
    expect(await left).to.equal('AbortError')
    await ended
    setDiary(async function* () {
      yield* []
    })
    let again = await request(ada)
    // The place is free once the connection's end has come all the way.
    for (let times = 0; again.status === 429 && times < 1_000; times += 1) {
      await again.arrayBuffer()
      again = await request(ada)
    }
    expect(readZip(Buffer.from(await again.arrayBuffer())).has('manifest.json')).to.equal(true)
  })
})
