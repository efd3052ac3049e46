import { fakeApi, screen, sendEvent, waitFor } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { ended, process, status } from '../../test-support/sandbox.js'
import { showSandbox } from './test-support/show-sandbox.js'

/** An answer of the stream of output, which the test goes on with and ends. */
function openStream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(opened) {
      controller = opened
    },
  })
  const write = (text: string): void => controller?.enqueue(new TextEncoder().encode(text))
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    write: (id: number, from: number, text: string) =>
      write(`id: ${id}\nevent: output\ndata: ${JSON.stringify({ stream: 'stdout', from, text })}\n\n`),
    exit: () => write('event: exit\ndata: {}\n\n'),
    breakOff: () => controller?.close(),
  }
}

function showProcess(...streams: readonly ReturnType<typeof openStream>[]) {
  const left = [...streams]
  const service = fakeApi<paths>({
    'get /api/sandbox': () => status(),
    'get /api/sandbox/processes/{process_id}': () => process(),
    'get /api/sandbox/processes/{process_id}/output/stream': () => left.shift()?.response ?? openStream().response,
    'post /api/sandbox/processes/{process_id}/stop': () => process(ended({ reason: 'stopped' })),
  })
  return { service, ...showSandbox('/sandbox/processes/process_build') }
}

const output = (): string => document.querySelector('.log pre')?.textContent ?? ''
const whenShown = (text: string): Promise<unknown> => waitFor(() => expect(output()).to.equal(text))

describe('the page of a process', () => {
  it('shows output as it comes, without what only a terminal draws', async () => {
    const stream = openStream()
    showProcess(stream)
    await screen.findByRole('heading', { name: 'build', level: 1 })
    stream.write(21, 0, '10%\r\u001b[31m20%\u001b[0m\n')
    await whenShown('20%')
    screen.getByText('Output, live')
    stream.write(28, 21, 'second\n')
    await whenShown('20%\nsecond')
    stream.exit()
    await screen.findByText('Output')
  })

  it('goes on where an interruption was', async () => {
    const [first, second] = [openStream(), openStream()]
    const { service } = showProcess(first, second)
    await screen.findByRole('heading', { name: 'build', level: 1 })
    first.write(6, 0, 'first\n')
    await whenShown('first')
    first.breakOff()
    second.write(13, 6, 'second\n')
    await whenShown('first\nsecond')
    expect(service.requestsOf('get /api/sandbox/processes/{process_id}/output/stream').map(({ query }) => query.from)).to.deep.equal([
      '0',
      '6',
    ])
    expect(screen.queryByText('Earlier output is no longer kept.')).to.equal(null)
  })

  it('says that earlier output is no longer kept, and that there was none', async () => {
    const [late, silent] = [openStream(), openStream()]
    const { unmount } = showProcess(late)
    late.write(906, 900, 'late\n')
    await screen.findByText('Earlier output is no longer kept.')
    unmount()
    showProcess(silent)
    silent.exit()
    await screen.findByText('It wrote nothing.')
  })

  it('says how the process ended, and what it used', async () => {
    showProcess()
    await screen.findByText('Running')
    const used = ended({ cpu_ms: 2_000, peak_memory_bytes: 5_000_000 })
    sendEvent<Schemas['Event']>('sandbox.process.ended', { process: process({ title: 'other', ...ended({ code: 1 }) }) })
    screen.getByText('Running')
    sendEvent<Schemas['Event']>('sandbox.process.ended', { process: process(used) })
    await screen.findByText('Ended with code 0')
    expect(screen.getByText('Processor time').nextElementSibling?.textContent).to.equal('2 secs')
    expect(screen.queryByRole('button', { name: 'Stop' })).to.equal(null)
  })

  it('stops the process, which is “Stopping” until the service has confirmed it', async () => {
    const { user, service } = showProcess()
    const held = service.hold('post /api/sandbox/processes/{process_id}/stop')
    await user.click(await screen.findByRole('button', { name: 'Stop' }))
    await screen.findByText('Stopping')
    held.release()
    await screen.findByText('Stopped')
  })
})
