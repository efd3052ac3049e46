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

  it('gives all of standard input at once, up to a limit', async () => {
    const { context, type, endInput } = createTestCommand({ interactive: false })
    for (const line of ['one', 'zwölf']) type(line)
    endInput()
    expect(context.inputIsTerminal).to.equal(false)
    expect(await context.readAll({ maxBytes: 10 })).to.equal('one\nzwölf')
    const other = createTestCommand()
    other.type('zwölf')
    other.endInput()
    expect(await failure(other.context.readAll({ maxBytes: 5 }))).to.include({ code: 'input_too_large' })
  })

  it('prints only records with --json, and only the rest without', async () => {
    for (const json of [true, false]) {
      const { context, lines, records, output } = createTestCommand({ json })
      await context.print('a line')
      await context.write('text')
      await context.table([
        ['ID', 'TITLE'],
        ['1', 'two\nlines'],
      ])
      await context.record({ done: 1 })
      expect(context.json).to.equal(json)
      expect(records).to.deep.equal(json ? [{ done: 1 }] : [])
      expect(lines).to.deep.equal(json ? [] : ['a line', 'ID  TITLE', '1  two lines'])
      expect(output()).to.equal(json ? '{"done":1}\n' : 'a line\ntextID  TITLE\n1  two lines\n')
    }
  })

  it('answers a request as text', async () => {
    const { context } = createTestCommand({ answer: (_, path) => (path === '/text' ? '# Title' : { a: 1 }) })
    expect(await context.requestText('GET', '/text')).to.equal('# Title')
    expect(await context.requestText('GET', '/json')).to.equal('{"a":1}')
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
