import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'

const code = `
  import { createLog, createRedactor } from ${JSON.stringify(new URL('./index.js', import.meta.url).href)}
  const log = createLog({ redactor: createRedactor({ pinned: ['canary-4711'] }) })
  const rounds = Number(process.argv[1])
  for (let round = 0; round < rounds; round++) log.logger.info('line canary-4711 ' + round, { filler: 'x'.repeat(1000) })
  if (process.argv[2] === 'flush') { log.flush(); process.exit(0) }
`
const start = (...args: readonly string[]) =>
  spawn(process.execPath, ['--input-type=module', '-e', code, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })

describe('log on standard output', () => {
  it('writes every line as JSON, also those before an exit', async () => {
    for (const flush of ['flush', 'end']) {
      const child = start('300', flush)
      const chunks: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
      const [status] = (await once(child, 'close')) as [number]
      const lines = Buffer.concat(chunks).toString('utf8').trimEnd().split('\n')
      expect(status).to.equal(0)
      expect(lines, flush).to.have.length(300)
      expect(lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg)).to.deep.equal(
        Array.from({ length: 300 }, (_, round) => `line [redacted] ${round}`),
      )
    }
  })

  it('neither ends nor blocks the process if its output is not read', async () => {
    const child = start('20000', 'end')
    child.stdout.destroy()
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString('utf8')
    })
    const [status, signal] = (await once(child, 'exit')) as [number | null, string | null]
    expect({ status, signal, errors }).to.deep.equal({ status: 0, signal: null, errors: '' })
  })
})
