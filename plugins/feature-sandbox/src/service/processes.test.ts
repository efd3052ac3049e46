import { access, readFile } from 'node:fs/promises'
import { settlesWithin } from '@agent-service/sdk/async'
import type { SandboxProcess } from '@agent-service/sdk/services/sandbox'
import { expect } from 'chai'
import { maxProcesses } from '../executions/process-places.js'
import { createOpenDriver } from '../test-support/open-driver.js'
import { type SandboxUnderTest, startSandbox, testPrincipal, textOf } from '../test-support/sandbox-under-test.js'

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { readonly code?: unknown }) => error.code ?? error,
  )
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Waits until a process has written a text. */
async function written(process: SandboxProcess, wanted: string): Promise<string> {
  let text = ''
  for await (const { bytes } of process.output()) {
    text += new TextDecoder().decode(bytes)
    if (text.includes(wanted)) return text
  }
  return text
}

describe('processes of the sandbox', () => {
  let under: SandboxUnderTest

  const begin = async (options: Parameters<typeof startSandbox>[0] = {}): Promise<void> => {
    await under?.stop()
    under = await startSandbox(options)
  }
  beforeEach(() => begin())
  afterEach(() => under.stop())

  it('run in the workspace, and their output and exit can be read while they run and afterwards', async () => {
    const process = await under.shell('pwd; echo problem >&2; exit 3')
    expect((await textOf(process)).split('\n').sort()).to.deep.equal(['', `${under.folder}/ada/workspaces/assistant`, 'problem'])
    expect(await process.exited).to.include({ reason: 'exit', code: 3 })
    expect(await textOf(process)).to.include('problem')
    expect(under.sandbox.list({ userId: 'user-1' }).map(({ id }) => id)).to.deep.equal([process.id])
    expect(under.sandbox.find('user-1', process.id)).to.equal(process)
    expect(under.sandbox.find('user-2', process.id)).to.equal(undefined)
    expect(under.sandbox.list({ userId: 'user-2' })).to.deep.equal([])
  })

  it('have an environment of the service alone, and a folder of their own', async () => {
    process.env['SERVICE_TEST_SECRET'] = 'do not show'
    const running = await under.shell('env; pwd', {
      ...{ directory: 'a/b', environment: { GREETING: 'hello' }, searchPath: ['.venv/bin'], timezone: 'Asia/Tokyo' },
    })
    delete process.env['SERVICE_TEST_SECRET']
    const lines = (await textOf(running)).trim().split('\n')
    const workspace = `${under.folder}/ada/workspaces/assistant`
    const set = lines.slice(0, -1).filter((line) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(line))
    expect(lines.at(-1)).to.equal(`${workspace}/a/b`)
    expect(set.map((line) => line.split('=')[0]).sort()).to.deep.equal(
      ['AGENT_SERVICE_TOKEN_FILE', 'AGENT_SERVICE_URL', 'GREETING', 'HOME', 'LANG', 'PATH', 'TMPDIR', 'TZ'].sort(),
    )
    expect(set).to.include.members([
      `HOME=${workspace}`,
      'TZ=Asia/Tokyo',
      'AGENT_SERVICE_URL=http://127.0.0.1:61000',
      `TMPDIR=${workspace}/.tmp`,
    ])
    expect(set.find((line) => line.startsWith('PATH='))).to.match(new RegExp(`^PATH=${workspace}/.venv/bin:`))
  })

  it('see the clock in the zone of their user, if the caller names none', async () => {
    expect(await textOf(await under.shell('echo $TZ'))).to.equal('Europe/Vienna\n')
  })

  it('read what is written to them, until their input is closed', async () => {
    const running = await under.shell('cat')
    await running.write(bytesOf('one '))
    await running.write(bytesOf('two'))
    running.closeInput()
    expect(await textOf(running)).to.equal('one two')
    expect(await running.exited).to.include({ reason: 'exit', code: 0 })
    expect(await codeOf(running.write(bytesOf('late')))).to.equal('sandbox_process_not_found')
  })

  it('end with the signal of their caller, but go on in the background', async () => {
    const caller = new AbortController()
    const [first, second] = [
      await under.shell('echo ready; sleep 100', {}, caller.signal),
      await under.shell('echo ready; read line; echo $line', { background: true }, caller.signal),
    ]
    await Promise.all([written(first, 'ready'), written(second, 'ready')])
    caller.abort()
    expect(await first.exited).to.include({ reason: 'stopped', code: null })
    await second.write(bytesOf('still here\n'))
    expect(await textOf(second)).to.equal('ready\nstill here\n')
    expect((await second.exited).reason).to.equal('exit')
  })

  it('do not start for a caller who has gone', async () => {
    expect(await codeOf(under.shell('true', {}, AbortSignal.abort(new Error('gone')))))
      .to.be.an('error')
      .with.property('message', 'gone')
    expect(under.open.requests).to.deep.equal([])
  })

  it('end after their time, that of the section if they name none', async () => {
    await begin({ config: { timeout_secs: 20 } })
    const processes = [
      await under.shell('sleep 100', { timeoutMs: 5_000 }),
      await under.shell('sleep 100'),
      await under.shell('read line', { timeoutMs: 0 }),
    ]
    const ended = () => processes.map(({ view }) => view().exit?.reason ?? null)
    await under.test.services.clock.advance(5_000)
    await processes[0]?.exited
    expect(ended()).to.deep.equal(['timeout', null, null])
    await under.test.services.clock.advance(15_000)
    await processes[1]?.exited
    await under.test.services.clock.advance(100_000)
    expect(ended()).to.deep.equal(['timeout', 'timeout', null])
  })

  it('end when they have written more than they may', async () => {
    const running = await under.shell('yes', { maxOutputBytes: 200_000 })
    expect((await running.exited).reason).to.equal('output_limit')
    expect(running.view().outputBytes).to.be.greaterThan(200_000)
  })

  it('get signals, and are stopped once, however often that is asked', async () => {
    const running = await under.shell('trap "echo interrupted" INT; echo ready; while true; do sleep 0.05; done')
    await written(running, 'ready')
    await running.signal('SIGINT')
    await written(running, 'interrupted')
    const exits = await Promise.all([running.stop(), running.stop('timeout')])
    expect(exits.map(({ reason }) => reason)).to.deep.equal(['stopped', 'stopped'])
    expect(await codeOf(running.signal('SIGINT'))).to.equal('sandbox_process_not_found')
  })

  it('end when their user is disabled, deleted or signed out', async () => {
    const running = await under.shell('echo ready; sleep 100', { background: true })
    await written(running, 'ready')
    const [held] = under.tokens.kept.values()
    held?.end('account_ended')
    expect((await running.exited).reason).to.equal('stopped')
  })

  it('have a token in a file that is replaced while they live, and ends with them', async () => {
    const running = await under.shell('echo $AGENT_SERVICE_TOKEN_FILE; read line')
    const file = (await written(running, '\n')).trim()
    const [[text, held] = []] = [...under.tokens.kept]
    expect(await readFile(file, 'utf8')).to.equal(text)
    await held?.replace('the next one')
    expect(await readFile(file, 'utf8')).to.equal('the next one')
    running.closeInput()
    await running.exited
    expect([...under.tokens.kept]).to.deep.equal([])
    expect(await codeOf(access(file))).to.equal('ENOENT')
  })

  it('end with their agent, and the driver forgets it', async () => {
    const other = { ...testPrincipal, kind: 'app', id: 'app-1' } as const
    const [own, others] = [await under.shell('sleep 100'), await under.shell('read line', { principal: other })]
    const event = { kind: 'event', id: 'e', userId: 'user-1', name: 'agent.deleted', recordedAt: '', attempt: 1 } as const
    await under.test.services.events.deliver({ ...event, data: { agent_id: testPrincipal.id } })
    expect((await own.exited).reason).to.equal('stopped')
    expect(others.view().exit).to.equal(null)
    expect(under.open.forgotten).to.deep.equal([under.open.requests[0]?.principal])
    // The gap stands for every deletion that was missed: this agent is there.
    await under.test.services.events.deliver({ kind: 'gap', id: 'g', userId: null, lost: null, until: '', attempt: 1 })
    expect(under.open.forgotten).to.have.length(1)
  })

  it('have room for so many of an agent, and no more until one ends', async () => {
    const running = []
    for (let count = 0; count < maxProcesses.principal; count += 1) running.push(await under.shell('read line'))
    expect(await codeOf(under.shell('true'))).to.equal('too_many_processes')
    const other = { ...testPrincipal, kind: 'app', id: 'app-1' } as const
    await (await under.shell('true', { principal: other })).exited
    running[0]?.closeInput()
    await running[0]?.exited
    expect((await (await under.shell('true')).exited).code).to.equal(0)
    expect([...under.test.services.quotas.declared.keys()]).to.have.members(['sandbox-processes', 'sandbox-terminals'])
  })

  it('are released when they cannot start', async () => {
    for (let count = 0; count < maxProcesses.principal + 1; count += 1)
      expect(await codeOf(under.shell('true', { command: ['/no/such/program'] }))).to.equal('sandbox_refused')
    expect([...under.tokens.kept]).to.deep.equal([])
    expect((await (await under.shell('true')).exited).code).to.equal(0)
  })

  for (const [what, more, code] of [
    ['a variable of the service', { environment: { LD_PRELOAD: '/x' } }, 'sandbox_start_invalid'],
    ['a proxy of its own', { environment: { https_proxy: 'http://x' } }, 'sandbox_start_invalid'],
    ['a zone that does not exist', { timezone: 'Nowhere/City' }, 'sandbox_start_invalid'],
    ['a search path that leads out', { searchPath: ['../bin'] }, 'sandbox_start_invalid'],
    ['a title of two lines', { title: 'a\nb' }, 'sandbox_start_invalid'],
    ['the folder of another user', { principal: { ...testPrincipal, userHandle: 'bob' } }, 'not_found'],
    ['the workspace of another agent', { principal: { ...testPrincipal, workspace: 'other' } }, 'sandbox_refused'],
    ['an agent that does not exist', { principal: { ...testPrincipal, id: 'agent-2' } }, 'sandbox_refused'],
  ] as const) {
    it(`are refused for ${what}`, async () => {
      expect(await codeOf(under.shell('true', more))).to.equal(code)
      expect(under.open.requests).to.deep.equal([])
    })
  }

  it('are forgotten an hour after their end', async () => {
    const running = await under.shell('true')
    await running.exited
    await under.test.services.clock.advance(3_599_000)
    expect(under.sandbox.list({ userId: 'user-1' })).to.have.length(1)
    await under.test.services.clock.advance(2_000)
    expect(under.sandbox.list({ userId: 'user-1' })).to.deep.equal([])
    expect(under.sandbox.find('user-1', running.id)).to.equal(undefined)
  })

  it('all end when the plugin stops, and nothing starts any more', async () => {
    const running = [await under.shell('echo ready; sleep 100'), await under.shell('echo ready; sleep 100', { background: true })]
    for (const each of running) await written(each, 'ready')
    const { sandbox, shell } = under
    await under.test.dispose()
    for (const each of running) expect(await settlesWithin(each.exited, { limitMs: 1_000 })).to.equal(true)
    expect(sandbox.list({ userId: 'user-1' }).map(({ exit }) => exit?.reason)).to.deep.equal(['stopped', 'stopped'])
    expect(await codeOf(shell('true'))).to.be.an('error')
    expect(under.test.scope.holdings()).to.deep.equal([])
  })

  it('are lost with a driver that breaks its contract, and are reported as ended', async () => {
    const plain = createOpenDriver()
    await begin({
      driver: createOpenDriver({
        async *run(request, call) {
          for await (const event of plain.driver.run(request, call)) {
            yield event
            if (event.type === 'output') throw new Error('the driver has a fault')
          }
        },
      }),
    })
    const running = await under.shell('echo x; sleep 100')
    expect(await running.exited).to.include({ reason: 'killed', code: null })
    expect(await textOf(running)).to.equal('x\n')
  })
})
