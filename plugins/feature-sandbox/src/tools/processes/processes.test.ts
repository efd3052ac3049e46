import { expect } from 'chai'
import { processIn, startTools, type ToolsUnderTest } from '../../test-support/tools-under-test.js'

describe('processes in the background', () => {
  let under: ToolsUnderTest

  beforeEach(async () => {
    under = await startTools()
  })
  afterEach(() => under.stop())

  const begin = async (command: string, more: Parameters<ToolsUnderTest['call']>[2] = {}) =>
    processIn(await under.call('shell', { command, background: true }, more))

  it('are started, listed, read and stopped', async () => {
    const id = await begin('echo ready; exec sleep 600')
    expect((await under.call('list_processes', {})).text).to.include(`${id}  shell, in the background: echo ready; exec sleep 600`)
    const read = await under.call('read_process', { id, offset: 0, wait_seconds: 30 })
    expect(read.text).to.match(/^Running for .* s\. Output from offset 0 to 6\. Continue with offset 6\.\nready\n$/)
    const stopped = await under.call('stop_process', { id })
    expect(stopped.text).to.match(/^Ended after .*: it was stopped\.$/)
    expect((await under.call('stop_process', { id })).text).to.match(/^It had ended before\./)
    expect((await under.call('list_processes', {})).text).to.equal('No process is running.')
    expect((await under.call('list_processes', { all: true })).text)
      .to.include(id)
      .and.to.include('it was stopped')
  })

  it('that fail at once are reported like others', async () => {
    const { text, isError } = await under.call('shell', { command: 'echo no such server; exit 4', background: true })
    expect(text).to.match(/^Exit code 4 .*\nno such server$/)
    expect(isError).to.equal(true)
  })

  it('take input, and answer within the time that a call waits', async () => {
    const id = await begin('while read -r line; do echo "<$line>"; done; echo bye')
    expect((await under.call('write_process', { id, text: 'hello\n', wait_seconds: 30 })).text).to.include('<hello>')
    expect((await under.call('write_process', { id, close: true, wait_seconds: 30 })).text).to.include('bye')
    await under.sandbox.find('user-1', id)?.exited
    const late = await under.call('write_process', { id, text: 'more\n' })
    expect(late.isError).to.equal(true)
    expect(late.text).to.match(/^Nothing was written: the process has ended\. Exit code 0/)
  })

  it('are read on from where the last reading ended, never within a character', async () => {
    const id = await begin(
      `printf 'a\\303'; read -r _; printf '\\251b'; read -r _; printf '\\033[3'; read -r _; printf '1mc'; exec sleep 600`,
    )
    const first = await under.call('read_process', { id, offset: 0, wait_seconds: 30 })
    expect(first.text).to.match(/to 1\. Continue with offset 1\.\na$/)
    await under.call('write_process', { id, text: '\n', wait_seconds: 30 })
    expect((await under.call('read_process', { id, offset: 1 })).text).to.match(/Continue with offset 4\.\néb$/)
    await under.call('write_process', { id, text: '\n', wait_seconds: 30 })
    expect((await under.call('read_process', { id, offset: 4 })).text).to.match(/Continue with offset 4\.\n\(no output\)$/)
    await under.call('write_process', { id, text: '\n', wait_seconds: 30 })
    expect((await under.call('read_process', { id, offset: 4 })).text).to.match(/\nc$/)
    expect((await under.call('read_process', { id, offset: 4_000 })).text).to.match(/^There is no offset 4000/)
    await under.call('stop_process', { id })
  })

  it('without an offset show the end of what there is, and wait for what comes', async () => {
    const id = await begin('seq 1 20000; read -r _; echo fresh; exec sleep 600')
    await under.call('read_process', { id, offset: 108_893, wait_seconds: 30 })
    expect((await under.call('read_process', { id })).text).to.match(/\n19999\n20000\n$/)
    const waiting = under.call('read_process', { id, wait_seconds: 60 })
    await under.call('write_process', { id, text: '\n', wait_seconds: 0 })
    expect((await waiting).text).to.include('fresh')
    await under.call('stop_process', { id })
  })

  it('of one agent are not there for another, nor those that a person started', async () => {
    const id = await begin('exec sleep 600')
    for (const other of [{ agentId: 'agent-2' }, { userId: 'user-2' }]) {
      expect((await under.call('list_processes', { all: true }, other)).text).to.equal('There are no processes.')
      for (const [name, input] of [
        ['read_process', { id }],
        ['write_process', { id, text: 'x' }],
        ['stop_process', { id }],
      ] as const) {
        const { text, isError } = await under.call(name, input, other)
        expect(isError, name).to.equal(true)
        expect(text).to.match(/^You have no process/)
      }
    }
    const own = await under.shell('exec sleep 600', { kind: 'terminal', background: true })
    expect((await under.call('read_process', { id: own.id })).text).to.match(/^You have no process/)
    expect((await under.call('list_processes', {})).text)
      .to.include(id)
      .and.not.to.include(own.id)
    await own.stop()
    await under.call('stop_process', { id })
  })

  it('end with the chat that they were started in, and not with the run', async () => {
    const controller = new AbortController()
    const mine = await begin('exec sleep 600', { signal: controller.signal })
    const other = await begin('exec sleep 600', { chatId: 'chat-2' })
    controller.abort()
    await under.deleteChat('chat-1')
    expect(under.sandbox.find('user-1', mine)?.view().exit?.reason).to.equal('stopped')
    expect(under.sandbox.find('user-1', other)?.view().exit).to.equal(null)
    await under.deleteChat('chat-1')
    await under.call('stop_process', { id: other })
  })
})
