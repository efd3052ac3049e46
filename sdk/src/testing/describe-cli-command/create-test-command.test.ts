import { expect } from 'chai'
import { createTestCommand } from './create-test-command.js'

const abortError = { name: 'AbortError' }
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('expected an error'),
    (error: unknown) => error,
  )

describe('createTestCommand', () => {
  it('gives lines as they are typed, and undefined at the end of the input', async () => {
    const { context, type, endInput, prompts } = createTestCommand()
    const first = context.readLine({ prompt: 'you> ' })
    type('one')
    type('two')
    endInput()
    expect(await first).to.equal('one')
    expect(await context.readLine()).to.equal('two')
    expect(await context.readLine()).to.equal(undefined)
    expect(prompts).to.deep.equal(['you> '])
  })

  it('ends a wait for a line with the signal of the wait or of the command', async () => {
    const test = createTestCommand()
    const own = new AbortController()
    const first = failure(test.context.readLine({ signal: own.signal }))
    own.abort()
    expect(await first).to.include(abortError)
    const second = failure(test.context.readLine())
    test.abort()
    expect(await second).to.include(abortError)
  })

  it('sends events on the open streams', async () => {
    const test = createTestCommand({ events: [{ name: 'first', data: {} }] })
    const stream = (await test.context.events())[Symbol.asyncIterator]()
    test.emit({ id: '7', name: 'second', data: { done: true } })
    expect((await stream.next()).value).to.deep.equal({ name: 'first', data: {} })
    expect((await stream.next()).value).to.deep.equal({ id: '7', name: 'second', data: { done: true } })
    expect(test.openStreams()).to.equal(1)
    await stream.return?.()
    expect(test.openStreams()).to.equal(0)
  })

  it('sends an interrupt to its reader, and otherwise aborts the command', async () => {
    const test = createTestCommand()
    const stream = test.context.interrupts()[Symbol.asyncIterator]()
    test.interrupt()
    expect((await stream.next()).value).to.equal('interrupt')
    expect(test.context.signal.aborted).to.equal(false)
    await stream.return?.()
    test.interrupt()
    expect(test.context.signal.aborted).to.equal(true)
  })

  it('asks only in a terminal', async () => {
    const { context } = createTestCommand({ interactive: false })
    expect(await failure(context.ask('Name?'))).to.include({ code: 'not_interactive' })
  })

  it('keeps the output, with and without line ends', async () => {
    const { context, lines, warnings, output } = createTestCommand()
    await context.write('wo')
    await context.write('rd')
    await context.print('')
    await context.warn('careful')
    expect({ lines, warnings, output: output() }).to.deep.equal({ lines: [''], warnings: ['careful'], output: 'word\n' })
  })
})
