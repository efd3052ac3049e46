import { link, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import { expect } from 'chai'
import type { EventStream } from '../support/api.js'
import { type AgentsKernel, endOf, type Person, type SeenMessage, startAgentsKernel } from './support/agents-kernel.js'
import { callsWith } from './support/long-chats.js'
import { calls, resultsIn, says, setScript } from './support/scripted-plugin.js'

const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

interface Made {
  readonly call_id: string
  readonly path: string
  readonly name: string
  readonly size: number
  readonly etag?: string
  readonly media_type?: string
}

describe('the files that tool calls make', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let ada: Person
  let stream: EventStream

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await agents.person('ada')
    stream = await ada.stream()
  })
  after(async () => {
    stream?.close()
    await agents?.close()
  })

  const folderOf = ({ userHandle, workspace }: Pick<ToolContext, 'userHandle' | 'workspace'>): string =>
    path.join(agents.kernel.folder, 'data', 'users', userHandle, 'workspaces', workspace)
  const put = async (folder: string, name: string, content: string | Buffer): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), content)
  }
  /** A run of one call that does this, and what the person sees of its files. */
  const runOf = async (work: (context: ToolContext) => Promise<ToolResult>, chat?: string) => {
    const script = setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read') : says('Done.')),
      tool: (_name, _input, context) => work(context),
    })
    const chatId = chat ?? (await ada.newChat())
    const run = await ada.post(chatId, 'Make it')
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    const told = stream.events.find(({ name, data }) => name === 'tool_call.finished' && data['run_id'] === run)?.data['files']
    return { script, run, chatId, told: told as readonly Made[] | undefined }
  }
  const filesIn = (messages: readonly SeenMessage[]): readonly Made[] =>
    messages.flatMap((message) => (message as unknown as { readonly made_files?: readonly Made[] }).made_files ?? [])

  it('come with the end of the call and with the messages, after a restart too, and never to the model', async () => {
    let workspace = ''
    const { script, run, chatId, told } = await runOf(async (context) => {
      workspace = context.workspace
      await put(folderOf(context), 'charts/sales.txt', pixel)
      await put(folderOf(context), 'report.md', '# Sales')
      return { content: [{ type: 'text', text: 'made' }], files: [{ path: 'charts/sales.txt' }, { path: 'report.md' }] }
    })
    const [picture, report] = told ?? []
    expect(picture).to.deep.include({
      ...{ path: `workspaces/${workspace}/charts/sales.txt`, name: 'sales.txt', size: pixel.length, media_type: 'image/png' },
    })
    expect(report).to.deep.include({ path: `workspaces/${workspace}/report.md`, name: 'report.md', size: 7 })
    expect(report).to.not.have.property('media_type')
    const answer = await fetch(`${ada.url}/api/files/content?path=${encodeURIComponent(report?.path ?? '')}`, {
      headers: { authorization: `Bearer ${ada.token}` },
    })
    expect([answer.status, answer.headers.get('etag'), await answer.text()]).to.deep.equal([200, report?.etag, '# Sales'])

    expect(filesIn(await ada.messages(chatId))).to.deep.equal(told)
    const { calls: listed } = (await ada.request('GET', `/api/runs/${run}/calls`)).body as { readonly calls: readonly object[] }
    expect(listed[0], 'the message has them now').to.not.have.property('files')
    expect(JSON.stringify(script.requests)).to.not.include('sales.txt').and.not.include('made_files')

    await agents.restart()
    ada = await agents.person('ada')
    stream = await ada.stream()
    expect(filesIn(await ada.messages(chatId))).to.deep.equal(told)
  })

  it('are read from the log of the run while other calls of the turn go on', async () => {
    let end = (): void => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    setScript({
      answer: (request) => (resultsIn(request).length === 0 ? calls('tool__read', 'tool__read') : says('Done.')),
      tool: async (_name, _input, context) => {
        if (context.callId === first) return { content: [] }
        if (first !== '') await ended
        first = context.callId
        await put(folderOf(context), 'first.txt', 'x')
        return { content: [], files: [{ path: 'first.txt' }] }
      },
    })
    let first = ''
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Both')
    await stream.until(({ name, data }) => name === 'tool_call.finished' && data['run_id'] === run)
    const { calls: listed } = (await ada.request('GET', `/api/runs/${run}/calls`)).body as {
      readonly calls: readonly { readonly files?: readonly Made[] }[]
    }
    expect(listed.map(({ files }) => files?.map(({ name }) => name))).to.deep.equal([['first.txt'], undefined])
    end()
    await endOf(stream, run)
    expect(filesIn(await ada.messages(chat)).map(({ name }) => name)).to.deep.equal(['first.txt', 'first.txt'])
  })

  it('are regular files of the workspace of the call, whatever a tool names', async () => {
    const { told, chatId } = await runOf(async (context) => {
      const folder = folderOf(context)
      await put(folder, 'good.txt', 'good')
      await put(path.join(folder, '..', 'neighbour'), 'secret.txt', 'secret')
      await put(folder, 'a-folder/inner.txt', 'inner')
      await symlink('a-folder', path.join(folder, 'inside'))
      await symlink('../neighbour/secret.txt', path.join(folder, 'way-out.txt'))
      await symlink('../neighbour', path.join(folder, 'door'))
      await symlink('good.txt', path.join(folder, 'alias.txt'))
      await link(path.join(folder, '..', 'neighbour', 'secret.txt'), path.join(folder, 'twin.txt'))
      const paths = ['missing.txt', 'a-folder', 'way-out.txt', 'door/secret.txt', 'inside/inner.txt', 'alias.txt', 'twin.txt', 'good.txt']
      return { content: [{ type: 'text', text: 'six' }], files: paths.map((each) => ({ path: each })) }
    })
    expect(told?.map(({ name }) => name)).to.deep.equal(['good.txt'])
    expect(filesIn(await ada.messages(chatId))).to.deep.equal(told)
  })

  for (const [what, files] of [
    ['a path that leads to another workspace', [{ path: '../neighbour/secret.txt' }]],
    ['an absolute path', [{ path: '/etc/hostname' }]],
    ['more files than a result may have', Array.from({ length: 51 }, (_, index) => ({ path: `f${index}` }))],
    ['what is no list', 'good.txt' as never],
  ] as const)
    it(`are left out if a tool names ${what}, and the rest of the result counts`, async () => {
      const { told, script } = await runOf(async () => ({ content: [{ type: 'text', text: 'seven' }], files }))
      expect(told).to.equal(undefined)
      expect(resultsIn(script.requests[1] ?? expect.fail('no second call'))[0]?.content).to.deep.equal([{ type: 'text', text: 'seven' }])
    })

  it('stay named once they are deleted, and their content is missing', async () => {
    const { told, chatId } = await runOf(async (context) => {
      await put(folderOf(context), 'short.txt', 'x')
      return { content: [], files: [{ path: 'short.txt' }] }
    })
    const [file] = told ?? expect.fail('nothing was named')
    await rm(path.join(agents.kernel.folder, 'data', 'users', 'ada', file?.path ?? ''))
    expect(filesIn(await ada.messages(chatId))).to.deep.equal(told)
    const answer = await ada.request('GET', `/api/files/content?path=${encodeURIComponent(file?.path ?? '')}`)
    expect([answer.status, answer.body['code']]).to.deep.equal([404, 'not_found'])
  })

  it('are in the branch that shares the messages, in an export and in what is imported from it', async () => {
    const { told, chatId } = await runOf(async (context) => {
      await put(folderOf(context), 'shared.txt', 'x')
      return { content: [], files: [{ path: 'shared.txt' }] }
    })
    setScript()
    const again = await ada.request('POST', `/api/chats/${chatId}/regenerate`, {})
    expect(again.status, JSON.stringify(again.body)).to.equal(202)
    await endOf(stream, (again.body['run'] as { readonly id: string }).id)
    const branches = (await ada.request('GET', `/api/chats/${chatId}/branches`)).body['items'] as readonly { readonly id: string }[]
    const seen = await Promise.all(
      branches.map(async ({ id }) => {
        const page = await ada.request('GET', `/api/chats/${chatId}/messages?branch_id=${id}`)
        return filesIn(page.body['items'] as readonly SeenMessage[]).length
      }),
    )
    expect(seen.toSorted()).to.deep.equal([0, 1])

    const document = (await ada.request('GET', `/api/chats/${chatId}/export`)).body
    const [file] = told ?? []
    const exported = (document['messages'] as readonly { readonly made_files?: unknown }[]).flatMap(({ made_files: made }) => made ?? [])
    expect(exported).to.deep.equal([{ call_id: file?.call_id, path: file?.path, size: 1 }])
    const imported = await ada.request('POST', '/api/chats/import', document)
    expect(imported.status, JSON.stringify(imported.body)).to.equal(201)
    const copy = (imported.body['chat'] as { readonly id: string } | undefined)?.id ?? String(imported.body['id'])
    await ada.request('PATCH', `/api/chats/${copy}`, { branch_id: await branchWithFiles(copy) })
    expect(filesIn(await ada.messages(copy))).to.deep.equal([{ call_id: file?.call_id, path: file?.path, name: 'shared.txt', size: 1 }])

    const hostile = structuredClone(document) as { messages: { made_files?: { path: string }[] }[] }
    for (const message of hostile.messages) for (const made of message.made_files ?? []) made.path = 'workspaces/a/../../eve/files/diary.md'
    expect((await ada.request('POST', '/api/chats/import', hostile)).status).to.equal(422)
  })

  const branchWithFiles = async (chat: string): Promise<string> => {
    const branches = (await ada.request('GET', `/api/chats/${chat}/branches`)).body['items'] as readonly { readonly id: string }[]
    for (const { id } of branches) {
      const page = await ada.request('GET', `/api/chats/${chat}/messages?branch_id=${id}`)
      if (filesIn(page.body['items'] as readonly SeenMessage[]).length > 0) return id
    }
    return expect.fail('no branch has files')
  }

  it('of a delegated task are named in the chat that asked, in the workspace of the agent that made them', async () => {
    const made = await Promise.all(
      (['chief', 'helper'] as const).map(async (handle) => {
        const agent = { handle, name: handle, tools: ['delegate', 'tool__read'], skills: [], approval: { '*': 'never' } }
        return (await ada.request('POST', '/api/agents', agent)).body
      }),
    )
    let workspace = ''
    setScript({
      answer: (request) => {
        const isHelper = request.messages.some(({ role, content }) => role === 'user' && JSON.stringify(content).includes('Draw it'))
        if (resultsIn(request).length > 0) return says('Done.')
        return isHelper ? calls('tool__read') : callsWith('delegate', { agent: 'helper', task: 'Draw it' })
      },
      tool: async (_name, _input, context) => {
        workspace = context.workspace
        await put(folderOf(context), 'drawing.png', pixel)
        return { content: [], files: [{ path: 'drawing.png' }] }
      },
    })
    const chat = String((await ada.request('POST', '/api/chats', { agent_id: made[0]?.['id'] })).body['id'])
    const run = await ada.post(chat, 'Have it drawn')
    expect((await endOf(stream, run)).name).to.equal('run.completed')
    const files = filesIn(await ada.messages(chat))
    expect(files.map(({ path: each }) => each)).to.deep.equal([`workspaces/${workspace}/drawing.png`])
    const call = (await ada.messages(chat)).flatMap(({ content }) => content).find(({ type }) => type === 'tool_call')
    expect(files[0]?.call_id).to.equal(call?.['call_id'])
    expect(workspace).to.not.equal(made[0]?.['workspace'])
  })
})
