import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { createLineReader, type LineReader } from './line-reader.js'

describe('a reader of lines', () => {
  let input: PassThrough
  let shown: string
  let reader: LineReader | undefined

  const open = (interactive: boolean): LineReader => {
    input = new PassThrough()
    shown = ''
    const output = new PassThrough()
    output.on('data', (chunk) => {
      shown += String(chunk)
    })
    const terminal = Object.assign(output, { columns: 80 }) as unknown as NodeJS.WriteStream
    reader = createLineReader({ input, output: terminal, interactive, movesCursor: true })
    return reader
  }
  afterEach(() => reader?.close())

  it('keeps lines until they are read, and returns undefined at the end, each time', async () => {
    const lines = open(false)
    input.end('one\ntwo\r\nthree')
    expect(await lines.next({ prompt: 'you> ' })).to.equal('one')
    expect(shown).to.equal('you> ')
    for (const line of ['two', 'three', undefined, undefined]) expect(await lines.next({})).to.equal(line)
  })

  it('holds the input back when many lines wait, and loses none', async () => {
    const lines = open(false)
    const sent = Array.from({ length: 30_000 }, (_, index) => `line ${index}`)
    input.end(`${sent.join('\n')}\n`)
    await lines.next({})
    for (const line of sent.slice(1)) expect(await lines.next({})).to.equal(line)
    expect(await lines.next({})).to.equal(undefined)
  })

  it('shows input on a terminal, but not a secret, which is not kept in the history', async () => {
    const lines = open(true)
    const first = lines.next({ prompt: 'name> ' })
    input.write('ada\r')
    expect(await first).to.equal('ada')
    const secret = lines.next({ prompt: 'password> ', secret: true })
    input.write('sesame\r')
    expect(await secret).to.equal('sesame')
    expect(shown).to.include('ada')
    expect(shown).to.include('password> ')
    expect(shown).not.to.include('sesame')
    const again = lines.next({})
    input.write('\u001b[A\r')
    expect(await again).to.equal('ada')
  })

  it('answers a fresh question on a terminal with a line that is typed from then on', async () => {
    const lines = open(true)
    const first = lines.next({})
    input.write('one\rahead\r')
    expect(await first).to.equal('one')
    const fresh = lines.next({ fresh: true })
    input.write('yes\r')
    expect(await fresh).to.equal('yes')
    expect(await lines.next({})).to.equal('ahead')
  })

  it('drops what has been typed when the wait is aborted', async () => {
    const lines = open(true)
    const controller = new AbortController()
    const wait = lines.next({ signal: controller.signal }).catch((error: unknown) => error)
    input.write('half')
    const reason = new Error('over')
    controller.abort(reason)
    expect(await wait).to.equal(reason)
    const next = lines.next({})
    input.write('whole\r')
    expect(await next).to.equal('whole')
  })
})
