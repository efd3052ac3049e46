import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { endOf } from '../agents/support/agents-kernel.js'
import {
  type AskedPerson,
  type AskingKernel,
  askedOnce,
  callsWith,
  type SeenApproval,
  startAskingKernel,
} from '../agents/support/asking-kernel.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import type { EventStream } from '../support/api.js'

interface SeenScope {
  readonly key: string
  readonly label: string
}

const agent = { tools: ['shell', 'python', 'node', 'write_process', 'delete_file'], approval: { '*': 'first_time' } }

/** None of these is the kind “ls in the folder reports”. */
const others: readonly JsonObject[] = [
  ...['env ls', "bash -c 'ls'", 'sh -c ls', 'xargs ls', "python -c 'ls'", 'busybox ls', 'nohup ls', 'time ls', 'command ls', 'eval ls'],
  ...['ls; id', 'ls | sh', 'ls && id', 'ls || id', 'ls &', 'ls $(id)', 'ls `id`', 'ls > x', 'ls < x', 'LS=1 ls', 'PATH=.:$PATH ls'],
  ...[
    '\\ls',
    './ls',
    '/bin/ls',
    "'ls'",
    'ls *',
    'ls ~',
    'ls ..',
    'ls ../other',
    'ls /',
    'ls --x=/etc',
    'ls a/../..',
    'ls # x',
    'ls !!',
    'cat x',
    'lsof',
  ],
  ...['ls\nid', 'ls\r\nid', 'ls\u202e -a', 'ls a\u200bb', 'ls\u00a0-a', '\u043bs'],
].map((command) => ({ command, directory: 'reports' }))

const elsewhere: readonly JsonObject[] = [
  { command: 'ls' },
  ...['other', 'reports/deep', '..', 'reports/..', '/reports', 'Reports', './reports/../reports'].map((directory) => ({
    command: 'ls',
    directory,
  })),
  { command: 'ls', directory: 'reports', background: true },
  { command: 'ls', directory: 'reports', background: false },
  { command: 'ls', directory: 'reports', credentials: ['github'] },
]

describe('approvals of programs, narrowed', function () {
  this.timeout(120_000)
  let asking: AskingKernel
  let ada: AskedPerson
  let stream: EventStream
  let workspace: string

  before(async () => {
    setScript()
    asking = await startAskingKernel()
    ada = await asking.person('ada', agent)
    stream = await ada.stream()
    workspace = path.join(asking.kernel.folder, 'data/users/ada/workspaces/assistant')
    for (const folder of ['reports/deep', 'other', '.venv/bin', 'node_modules/.bin'])
      await mkdir(path.join(workspace, folder), { recursive: true })
    await writeFile(path.join(workspace, 'reports/june.md'), 'June')
  })
  after(async () => {
    stream?.close()
    await asking?.close()
  })

  /** A run in which the model makes this call; what the tool said is in `results`. */
  const begin = async (tool: string, input: JsonObject) => {
    const script = setScript({
      answer: (request) => (resultsIn(request).length === 0 ? callsWith({ name: tool, arguments: input }) : says('Done.')),
    })
    const { runId } = await ada.begin()
    const results = () =>
      resultsIn(script.requests.at(-1) ?? expect.fail('The model was not asked.')).map(({ content }) =>
        content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
      )
    return { runId, results }
  }
  const scopesOf = (asked: SeenApproval) => asked['scopes'] as readonly SeenScope[]

  /** Has a call made, which is asked about, and answers. */
  const decide = async (tool: string, input: JsonObject, answer: (asked: SeenApproval) => object) => {
    const { runId, results } = await begin(tool, input)
    const asked = await askedOnce(stream, runId)
    const { status, body } = await ada.request('POST', `/api/runs/${runId}/approvals/${asked.call_id}`, answer(asked))
    expect(status, JSON.stringify(body)).to.equal(200)
    await endOf(stream, runId)
    return { asked, answered: body, results: results() }
  }
  const deny = (tool: string, input: JsonObject) => decide(tool, input, () => ({ decision: 'deny' }))
  const allow = (tool: string, input: JsonObject, label: string) =>
    decide(tool, input, (asked) => {
      const scope =
        scopesOf(asked).find((each) => each.label === label) ?? expect.fail(`“${label}” is not among ${JSON.stringify(scopesOf(asked))}`)
      return { decision: 'approve', scope: scope.key }
    })
  /** Has a call made, about which nothing may be asked. */
  const unasked = async (tool: string, input: JsonObject): Promise<string> => {
    const { runId, results } = await begin(tool, input)
    await stream.until(({ name, data }) => data['run_id'] === runId && ['run.completed', 'run.failed', 'run.waiting'].includes(name))
    expect(await ada.run(runId), JSON.stringify(input)).to.include({ status: 'completed' })
    return results().join('\n')
  }
  const revokeAll = async (tool: string) =>
    expect((await ada.request('DELETE', `/api/agents/${ada.agentId}/grants/${tool}`)).status).to.equal(204)

  it('let the program run in its folder with other arguments, and ask about everything else', async () => {
    const { asked } = await allow('shell', { command: 'ls', directory: 'reports' }, 'Run ls in the folder “reports”, with any arguments')
    expect(scopesOf(asked).map(({ label }) => label)).to.deep.equal([
      'Exactly this call',
      'Run ls in the folder “reports”, with any arguments',
    ])
    for (const input of [
      { command: 'ls -la', directory: 'reports' },
      { command: 'ls deep "june.md"', directory: './reports/', timeout_seconds: 60 },
      { command: 'ls', directory: 'reports', offline: true },
    ])
      expect(await unasked('shell', input)).to.match(/^Exit code 0 .*june\.md|^Code cannot run here/s)
    for (const input of [...others, ...elsewhere]) {
      const denied = await deny('shell', input)
      expect(denied.results.join(), JSON.stringify(input)).to.match(/^Not run: the person did not allow this call/)
    }
    await revokeAll('shell')
    await deny('shell', { command: 'ls', directory: 'reports' })
  })

  it('run what was approved, whatever the workspace plants', async () => {
    for (const folder of ['.venv/bin', 'node_modules/.bin', 'reports', '.'])
      for (const name of ['ls', 'sh', 'bash'])
        await writeFile(path.join(workspace, folder, name), '#!/bin/sh\necho planted\n', { mode: 0o755 })
    for (const file of ['.bashrc', '.profile', '.shrc'])
      await writeFile(path.join(workspace, file), 'echo planted\nls() { echo planted; }\n')
    await allow('shell', { command: 'ls', directory: 'reports' }, 'Run ls in the folder “reports”, with any arguments')
    const text = await unasked('shell', { command: 'ls -a', directory: 'reports' })
    expect(text).to.match(/^Exit code 0 .*^june\.md$|^Code cannot run here/ms)
    expect(text).not.to.include('planted')
    await revokeAll('shell')
  })

  it('of wrappers and scripts are for exactly the call, and say what may differ', async () => {
    const changing = 'Exactly this call; the files and programs that it uses may have changed by then'
    for (const command of ["bash -c 'ls'", './build.sh', 'npm test']) {
      const { asked } = await allow('shell', { command }, changing)
      expect(scopesOf(asked), command).to.have.length(1)
      await unasked('shell', { command })
      await deny('shell', { command: `${command} ` })
      await deny('shell', { command, directory: 'reports' })
    }
    await revokeAll('shell')
  })

  it('of a file that is run, and of input to a process, are never remembered', async () => {
    await writeFile(path.join(workspace, 'build.py'), 'print(1)')
    const calls: readonly (readonly [string, JsonObject])[] = [
      ['python', { file: 'build.py' }],
      ['node', { file: 'build.mjs' }],
      ['write_process', { id: 'a', text: 'yes\n' }],
    ]
    for (const [tool, input] of calls) {
      const { asked, answered } = await decide(tool, input, () => ({ decision: 'approve' }))
      expect([asked['scopes'], asked['remembers'], answered['remembers'], answered['scope']], tool).to.deep.equal([[], false, false, null])
      await deny(tool, input)
    }
    const grants = (await ada.request('GET', `/api/agents/${ada.agentId}/grants`)).body['items']
    expect(grants).to.deep.equal([])
    const code = { code: 'print(6 * 7)' }
    await decide('python', code, () => ({ decision: 'approve' }))
    expect(await unasked('python', code)).to.match(/^Exit code 0 .*42|^Code cannot run here/s)
    await deny('python', { code: 'print(6 * 8)' })
    await revokeAll('python')
  })

  it('of deleting are for a folder, and not for what a link makes of it', async () => {
    const file = async (name: string) => writeFile(path.join(workspace, name), 'x')
    for (const name of ['other/a', 'other/b', 'other/deep', 'kept', 'otherwise']) await file(name)
    await allow('delete_file', { path: 'other/a' }, 'Delete anything in the folder “other”')
    expect(await unasked('delete_file', { path: './other/b' })).to.equal('Deleted other/b.')
    await symlink('..', path.join(workspace, 'other/way'))
    expect(await unasked('delete_file', { path: 'other/way/kept' })).to.equal(
      'Nothing was deleted: through a link, “other/way/kept” is “kept”. Give that path to delete it.',
    )
    expect(await readdir(workspace)).to.include('kept')
    expect(await unasked('delete_file', { path: 'other/way' }), 'the link itself').to.equal('Deleted other/way.')
    for (const name of ['kept', 'other', 'otherwise', 'other/../kept', 'other/./deep', '/other/deep', 'Other/deep', 'other//deep'])
      await deny('delete_file', { path: name, recursive: true })
    await revokeAll('delete_file')
  })
})
