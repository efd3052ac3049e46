import { constants } from 'node:os'
import { expect } from 'chai'
import { type LaunchedProcess, launchPiped, launchTerminal, type OpenedTerminal, type OpenTerminal } from './index.js'

const environment = { PATH: '/usr/bin:/bin', WORD: 'one' }

async function* inputOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

async function collect({ output }: LaunchedProcess): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {}
  for await (const { stream, bytes } of output) {
    expect(bytes.length).to.be.within(1, 65_536)
    texts[stream] = (texts[stream] ?? '') + Buffer.from(bytes).toString('latin1')
  }
  return texts
}

describe('processes of sandbox drivers with pipes', () => {
  const shell = (script: string, input?: AsyncIterable<Uint8Array>): Promise<LaunchedProcess> =>
    launchPiped({ command: ['/bin/sh', '-c', script], directory: '/', environment }, input)

  it('have their directory, environment, input and streams, and lead a group of their own', async () => {
    const launched = await shell('pwd; echo "$WORD" >&2; cat; ps -o pgid= -p $$', inputOf('two ', 'three\n'))
    const { stdout, stderr } = await collect(launched)
    expect([stdout?.replaceAll(' ', ''), stderr]).to.deep.equal([`/\ntwothree\n${launched.pid}\n`, 'one\n'])
    expect(await launched.exited).to.deep.equal({ code: 0, signal: null })
  })

  it('end although their input is never read, and report the signal', async () => {
    const launched = await shell('kill -TERM $$', inputOf('x'.repeat(1_000_000)))
    await collect(launched)
    expect(await launched.exited).to.deep.equal({ code: null, signal: 'SIGTERM' })
  })

  it('have long output in pieces', async () => {
    const launched = await shell('head -c 300000 /dev/zero')
    expect((await collect(launched))['stdout']?.length).to.equal(300_000)
  })

  it('have output that can be closed while another process holds it', async () => {
    const launched = await shell('echo out; (trap "" HUP; sleep 1000) & echo $!')
    const reader = launched.output[Symbol.asyncIterator]()
    let text = ''
    while (!/\n\d+\n/.test(text)) text += Buffer.from((await reader.next()).value?.bytes ?? []).toString('latin1')
    await launched.exited
    const next = reader.next()
    launched.close()
    expect((await next).done).to.equal(true)
    process.kill(-launched.pid, 'SIGKILL')
  })

  it('fail to start with the error of the system', async () => {
    const failed = launchPiped({ command: ['/missing/program'], directory: '/', environment }, undefined)
    expect(await failed.catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ENOENT')
  })
})

describe('processes of sandbox drivers with terminals', () => {
  function fakeTerminal() {
    const calls: string[] = []
    let print = (_: unknown): void => undefined
    let exit = (_: { readonly exitCode: number; readonly signal?: number }): void => undefined
    const terminal: OpenedTerminal = {
      pid: 4_711,
      onData: (listener) => {
        print = listener
      },
      onExit: (listener) => {
        exit = listener
      },
      write: (data) => calls.push(`write ${data.toString('utf8')}`),
      pause: () => calls.push('pause'),
      resume: () => calls.push('resume'),
      resize: (columns, rows) => calls.push(`resize ${columns} ${rows}`),
    }
    const open: OpenTerminal = (program, given, options) => {
      calls.push(`open ${program} ${given.join(' ')} ${options.cols}x${options.rows} ${options.cwd} ${options.env['WORD']}`)
      return terminal
    }
    const launched = launchTerminal(
      open,
      { command: ['/bin/sh', '-i'], directory: '/', environment },
      { columns: 80, rows: 24 },
      inputOf('ls\n'),
    )
    return {
      calls,
      launched,
      print: (data: Buffer) => print(data),
      exit: (code: number, signal?: number) => exit({ exitCode: code, ...(signal ? { signal } : {}) }),
    }
  }

  it('are paused while output waits for its reader', async () => {
    const { calls, launched, print, exit } = fakeTerminal()
    print(Buffer.alloc(131_072, 'a'))
    expect(calls).to.deep.equal(['open /bin/sh -i 80x24 / one'])
    print(Buffer.from('b'))
    expect(calls.at(-1)).to.equal('pause')
    const reader = launched.output[Symbol.asyncIterator]()
    expect((await reader.next()).value?.bytes.length).to.equal(65_536)
    expect(calls).to.include('resume').and.to.include('write ls\n')
    exit(0)
    let rest = 0
    for (let step = await reader.next(); step.done !== true; step = await reader.next()) rest += step.value.bytes.length
    expect(rest).to.equal(65_537)
  })

  it('take a new size until they end, and report a code or a signal', async () => {
    const { calls, launched, exit } = fakeTerminal()
    launched.resize({ columns: 100, rows: 30 })
    exit(0, constants.signals.SIGKILL)
    launched.resize({ columns: 1, rows: 1 })
    expect(calls.filter((call) => call.startsWith('resize'))).to.deep.equal(['resize 100 30'])
    expect(await launched.exited).to.deep.equal({ code: null, signal: 'SIGKILL' })
    expect(await collect(launched)).to.deep.equal({})
    const other = fakeTerminal()
    other.exit(3)
    expect(await other.launched.exited).to.deep.equal({ code: 3, signal: null })
  })
})
