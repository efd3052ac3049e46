import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { endOf } from '../agents/support/agents-kernel.js'
import { processesLeft, processesWith } from './support/host-processes.js'
import { startWorkingService, type WorkingService } from './support/working-service.js'
import type { Turn } from './support/working-upstream.js'

/** In the command lines of what must not be left, found from outside. */
const mark = `86400.${randomInt(1_000_000, 9_999_999)}`

const broken = `numbers = [3, 1, 2]
print('sorted:', sorted(numbres))
`
const server = `import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'hello over the loopback')
server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
print('listening on', server.server_port, flush=True)
server.serve_forever()
`
const fetching = (port: string): string =>
  `python3 -c "import urllib.request as u; print(u.build_opener(u.ProxyHandler({})).open('http://127.0.0.1:${port}/').read().decode())"`

const idIn = (text: string | undefined): string => /as process (\S+?)\. /.exec(text ?? '')?.[1] ?? 'none'

/** Writes a program, reads its traceback, mends it; starts a server, asks it and stops it. */
function work(results: readonly string[]): Turn {
  const [, failed = '', , , , started, ready = ''] = results
  const steps: readonly Turn[] = [
    { tool: 'write_file', arguments: { path: 'report.py', content: broken } },
    { tool: 'python', arguments: { file: 'report.py', timeout_seconds: 60 } },
    {
      tool: 'edit_file',
      arguments: { path: 'report.py', old_text: /NameError: name '(\w+)'/.exec(failed)?.[1] ?? 'unknown', new_text: 'numbers' },
    },
    { tool: 'python', arguments: { file: 'report.py', timeout_seconds: 60 } },
    { tool: 'write_file', arguments: { path: 'server.py', content: server } },
    { tool: 'python', arguments: { file: 'server.py', arguments: [mark], background: true } },
    { tool: 'read_process', arguments: { id: idIn(started), offset: 0, wait_seconds: 30 } },
    { tool: 'shell', arguments: { command: fetching(/listening on (\d+)/.exec(ready)?.[1] ?? '1'), timeout_seconds: 60 } },
    { tool: 'stop_process', arguments: { id: idIn(started) } },
    { tool: 'list_processes', arguments: {} },
  ]
  return steps[results.length] ?? 'The server has answered.'
}

/** Is killed in the middle of its second command, and looks at what is left. */
function interrupted(results: readonly string[]): Turn {
  const [started] = results
  const steps: readonly Turn[] = [
    { tool: 'shell', arguments: { command: `echo counting >> effects; exec sleep ${mark}`, background: true } },
    { tool: 'shell', arguments: { command: `echo begun >> effects; echo begun; setsid sleep ${mark} & exec sleep ${mark}` } },
    { tool: 'read_process', arguments: { id: idIn(started) } },
    { tool: 'list_processes', arguments: {} },
    { tool: 'shell', arguments: { command: 'cat effects', timeout_seconds: 60 } },
  ]
  return steps[results.length] ?? 'It was interrupted.'
}

/** Makes two files by a program, then looks at them by another one. */
function drawing(results: readonly string[]): Turn {
  const steps: readonly Turn[] = [
    {
      tool: 'shell',
      arguments: { command: 'mkdir -p charts node_modules && echo 1 > charts/a.csv && echo 2 > b.txt && echo 3 > node_modules/c.js' },
    },
    { tool: 'shell', arguments: { command: 'cat b.txt charts/a.csv' } },
  ]
  return steps[results.length] ?? 'It is drawn.'
}

const tools = ['write_file', 'edit_file', 'shell', 'python', 'list_processes', 'read_process', 'stop_process']

describe('an agent that works in the sandbox', function () {
  this.timeout(120_000)
  let service: WorkingService

  before(async () => {
    service = await startWorkingService({ work, drawing, interrupted }, tools)
  })
  after(() => service?.close())

  it('reads the traceback of its program, mends it, and asks its own server over the loopback', async () => {
    const results = await service.resultsOf('work')
    if (!service.confines) {
      expect(results[1]).to.match(/^Code cannot run here because nothing would confine it/)
      return
    }
    expect(results[1])
      .to.match(/^Exit code 1 /)
      .and.to.include('NameError')
    expect(results[3])
      .to.match(/^Exit code 0 /)
      .and.to.include('sorted: [1, 2, 3]')
    expect(results[6])
      .to.match(/^Running for /)
      .and.to.match(/listening on \d+/)
    expect(results[7])
      .to.match(/^Exit code 0 /)
      .and.to.include('hello over the loopback')
    expect(results[8]).to.match(/^Ended after .*: it was stopped\.$/)
    expect(results[9]).to.equal('No process is running.')
    expect(await processesLeft(mark)).to.deep.equal([])
  })

  it('has a card for each file that its programs have made, and for no other', async () => {
    const [drawn] = await service.resultsOf('drawing')
    if (!service.confines) {
      expect(drawn).to.match(/^Code cannot run here because nothing would confine it/)
      return
    }
    const { items } = (await service.ada.request('GET', '/api/chats?limit=1')).body as {
      readonly items: readonly { readonly id: string }[]
    }
    const page = (await service.ada.request('GET', `/api/chats/${items[0]?.id}/messages`)).body
    const made = (page['items'] as readonly { readonly made_files?: readonly { readonly path: string }[] }[]).map(({ made_files: files }) =>
      files?.map(({ path: each }) => each),
    )
    expect(made.filter((each) => each !== undefined)).to.deep.equal([['workspaces/assistant/b.txt', 'workspaces/assistant/charts/a.csv']])
  })

  it('goes on after the service was killed in the middle of a command, without repeating it and with nothing left of it', async () => {
    const { run, chat, stream } = await service.post('interrupted')
    if (!service.confines) {
      expect((await endOf(stream, run)).name).to.equal('run.completed')
      stream.close()
      return
    }
    const started = await stream.until(({ name, data }) => name === 'run.started' && data['run_id'] === run)
    await stream.until(({ data }) => data['run_id'] === run && JSON.stringify(data['output'] ?? '').includes('begun'))
    stream.close()
    expect(await processesWith(mark)).to.have.length.of.at.least(2)
    await service.kill()
    expect(await processesLeft(mark), 'the trees end with the service').to.deep.equal([])

    await service.restart()
    const resumed = await service.ada.stream({ after: started.id ?? '' })
    expect((await endOf(resumed, run)).name).to.equal('run.completed')
    resumed.close()
    const results = service.seen('interrupted')
    expect(results[1]).to.match(/^Outcome unknown: the service crashed/)
    expect(results[2])
      .to.match(/^You have no process/)
      .and.to.include('all of them end when the service restarts')
    expect(results[3]).to.equal('No process is running.')
    expect(results[4], 'each command ran once').to.match(/counting\nbegun$/)
    const { body } = await service.ada.request('GET', `/api/chats/${chat}/messages`)
    const parts = (body['items'] as readonly { readonly content: readonly object[] }[]).flatMap(({ content }) => content)
    expect(parts.filter((part) => 'outcome' in part && part.outcome === 'unknown')).to.have.length(1)
    expect(await readFile(path.join(service.workspace, 'effects'), 'utf8')).to.equal('counting\nbegun\n')
  })
})
