import type { JsonObject } from '@agent-service/sdk'
import { createBoundedQueue } from '@agent-service/sdk/async'
import { type SandboxExit, sandboxProcessNotFoundError } from '@agent-service/sdk/contracts/sandbox-driver'
import { connectionClosedError, type WebSocketMessage } from '@agent-service/sdk/contracts/websocket-route'
import { createTestClock } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createProcessMasks } from '../credentials/process-masks.js'
import type { Execution } from '../executions/execution.js'
import { createOutputLog } from '../executions/output-log.js'
import { serveViewer, type ViewerRequest } from './serve-viewer.js'
import { createTerminal } from './terminal.js'

const exit: SandboxExit = { type: 'exit', reason: 'exit', code: 3, signal: null, cpuMs: 1, peakMemoryBytes: null, left: 0 }

/** A page at a terminal whose process is the test. */
function start(request: ViewerRequest = { from: undefined, watches: false }, kept?: number) {
  const clock = createTestClock()
  const output = createOutputLog(kept)
  const written: string[] = []
  let end: (result: SandboxExit) => void = () => undefined
  let failure: Error | undefined
  const exited = new Promise<SandboxExit>((resolve) => {
    end = resolve
  })
  const execution = {
    ...{ id: 'p1', exited, readTo: () => undefined, resize: async () => undefined, stop: () => exited },
    output: output.read,
    view: () => ({ principal: { kind: 'app' }, outputBytes: output.total }),
    async write(bytes: Uint8Array) {
      if (failure) throw failure
      written.push(Buffer.from(bytes).toString())
    },
  } as unknown as Execution
  const messages = createBoundedQueue<WebSocketMessage>({ maxItems: 100 })
  const ending = new AbortController()
  const sent: (string | JsonObject)[] = []
  const closed: (readonly [number | undefined, string | undefined])[] = []
  const settled = (): Promise<void> => clock.advance(0)
  return {
    ...{ clock, sent, closed, written, messages, settled },
    say: (control: object) => messages.offer({ kind: 'text', text: JSON.stringify(control) }),
    type: (text: string) => messages.offer({ kind: 'binary', bytes: Buffer.from(text) }),
    write: async (text: string) => {
      output.append('terminal', Buffer.from(text))
      await settled()
    },
    end() {
      output.end()
      end(exit)
    },
    failWrites: (error: Error) => {
      failure = error
    },
    leave() {
      ending.abort(new Error('gone'))
      messages.close()
    },
    serve: () =>
      serveViewer(
        {
          messages,
          signal: ending.signal,
          async send(message) {
            if (ending.signal.aborted) throw connectionClosedError.create({ code: 1006, reason: '' })
            if (message.kind === 'binary') sent.push(Buffer.from(message.bytes).toString())
            else if (message.kind === 'text') sent.push(JSON.parse(message.text) as JsonObject)
          },
          async close(code, reason) {
            closed.push([code, reason])
            ending.abort(new Error('closed'))
            messages.close()
          },
        },
        {
          execution,
          terminal: createTerminal(execution, { clock, size: { columns: 80, rows: 24 } }),
          clock,
          masks: createProcessMasks(undefined),
          request,
        },
      ),
  }
}

const attached = { type: 'attached', process_id: 'p1', writer: true, columns: 80, rows: 24 }
const live = { type: 'live' }

describe('a connection to a terminal', () => {
  it('gets what was there, then what comes, then the exit', async () => {
    const page = start()
    await page.write('before ')
    const serving = page.serve()
    await page.settled()
    await page.write('after')
    page.type('ls\n')
    await page.settled()
    page.end()
    await serving
    expect(page.sent).to.deep.equal([
      { ...attached, from: 0 },
      'before ',
      live,
      'after',
      { type: 'exit', reason: 'exit', code: 3, signal: null, cpu_ms: 1, peak_memory_bytes: null },
    ])
    expect(page.written).to.deep.equal(['ls\n'])
  })

  it('begins with a whole line where the beginning is gone, and with the byte that it names otherwise', async () => {
    for (const [from, expected] of [
      [undefined, [{ ...attached, from: 0 }, { type: 'skipped', from: 15 }, 'third\n', live]],
      [13, [{ ...attached, from: 13 }, 'd\nthird\n', live]],
      [1, [{ ...attached, from: 1 }, { type: 'skipped', from: 11 }, 'ond\nthird\n', live]],
      [99, [{ ...attached, from: 21 }, live]],
    ] as const) {
      const page = start({ from, watches: false }, 10)
      await page.write('first\nsec\nsecond\nthird\n'.slice(2))
      const serving = page.serve()
      await page.settled()
      await page.settled()
      page.leave()
      await serving
      expect(page.sent, String(from)).to.deep.equal(expected)
    }
  })

  it('holds its output back while it pauses, for at most 30 seconds', async () => {
    const page = start()
    const serving = page.serve()
    await page.settled()
    for (const [release, title] of [
      [() => page.say({ type: 'resume' }), 'resumed'],
      [() => page.clock.advance(30_000), 'over'],
    ] as const) {
      page.say({ type: 'pause' })
      await page.settled()
      await page.write(title)
      await page.clock.advance(29_999)
      expect(page.sent).not.to.include(title)
      await release()
      await page.settled()
      await page.settled()
      expect(page.sent).to.include(title)
    }
    page.leave()
    await serving
  })

  it('is closed for a text that is no control message', async () => {
    for (const text of ['nonsense', '[]', '{"type":"resize","columns":0,"rows":1}', '{"type":"take","more":1}']) {
      const page = start()
      const serving = page.serve()
      page.messages.offer({ kind: 'text', text })
      await serving
      expect(page.closed, text).to.deep.equal([[1008, 'invalid_message']])
    }
  })

  it('outlives input that comes too late, and fails with any other error of the process', async () => {
    const late = start()
    late.failWrites(sandboxProcessNotFoundError.create({ id: 'p1' }))
    const serving = late.serve()
    late.type('x')
    await late.settled()
    late.end()
    await serving
    expect(late.sent.at(-1)).to.include({ type: 'exit' })

    const broken = start()
    broken.failWrites(new Error('the pipe is broken'))
    const failing = broken.serve().catch((error: unknown) => String(error))
    broken.type('x')
    expect(await failing).to.equal('Error: the pipe is broken')
  })
})
