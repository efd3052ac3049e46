import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { type AskingKernel, callsWith, startAskingKernel } from '../agents/support/asking-kernel.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { runCommand } from '../support/command.js'
import { fails, writes } from './support/gated-answer.js'

const binary = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../kernel/cli/bin/agent-service.mjs')

describe('agent-service chat in a script', function () {
  this.timeout(60_000)
  let asking: AskingKernel
  const person = { AGENT_SERVICE_USERNAME: 'ada', AGENT_SERVICE_PASSWORD: 'a long enough password' }

  before(async () => {
    setScript()
    asking = await startAskingKernel()
    await asking.person('ada', { tools: ['tool__read'], approval: {} })
  })
  after(() => asking?.close())

  const run = async (args: readonly string[], input?: string) => {
    const command = runCommand(asking.kernel.folder, ['chat', '--url', asking.kernel.url, ...args], person)
    command.child.stdin?.end(input)
    return { status: await command.ended, stdout: command.standardOutput(), stderr: command.standardError() }
  }

  it('prints the answer alone on standard output, and everything else on standard error', async () => {
    setScript({
      answer: (request) =>
        resultsIn(request).length === 0 ? callsWith({ name: 'tool__read' }) : writes('The an', 'swer\u001b[2J', ' is 5.'),
    })
    const { status, stdout, stderr } = await run(['--message', 'What is it?'])
    expect({ status, stdout }).to.deep.equal({ status: 0, stdout: 'The answer␛[2J is 5.\n' })
    expect(stderr).to.match(/→ tool__read \{\}.*\n← tool__read done\n/)
  })

  it('ends with 1 when the run fails, and says why on standard error', async () => {
    setScript({ answer: fails })
    const { status, stdout, stderr } = await run(['--message', 'Hi'])
    expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' })
    expect(stderr).to.match(/^The answer was interrupted\. ./m)
    expect(stderr).not.to.include('    at ')
  })

  it('takes the message from standard input, with “-” and from a pipe', async () => {
    const made = setScript({ answer: () => says('Yes.') })
    const text = 'First line\n\nLast line: 日本\n'
    for (const args of [['--message', '-'], []]) {
      expect(await run(args, text)).to.deep.equal({ status: 0, stdout: 'Yes.\n', stderr: '' })
      expect(made.requests.at(-1)?.messages.at(-1)?.content[0]).to.deep.equal({ type: 'text', text: text.trimEnd() })
    }
  })

  it('refuses an empty message and one that is too large', async () => {
    const refusals = [
      [[], '', 'Standard input has no text to send.'],
      [['--message', '-'], ' \n', 'Standard input has no text to send.'],
      [['--message', ' '], '', '--message has no text to send.'],
      [[], 'x'.repeat(1_048_577), 'Standard input has more than 1048576 bytes, the maximum here. Shorten it.'],
    ] as const
    await Promise.all(
      refusals.map(async ([args, input, reason]) =>
        expect(await run(args, input)).to.deep.equal({ status: 1, stdout: '', stderr: `${reason}\n` }),
      ),
    )
  })

  it('prints one JSON object at the end with --json, also of a failed run', async () => {
    setScript({ answer: () => writes('He', 'llo\u009b.') })
    const done = await run(['--message', 'Hi', '--json'])
    const { chat_id, run_id, ...rest } = JSON.parse(done.stdout) as Record<string, unknown>
    expect([done.status, rest]).to.deep.equal([0, { status: 'completed', answer: 'Hello\u009b.', failure: null }])
    expect([typeof chat_id, typeof run_id]).to.deep.equal(['string', 'string'])
    expect(done.stdout).to.include('Hello\\u009b.')
    setScript({ answer: fails })
    const failed = await run(['--message', 'Hi', '--json'])
    expect([failed.status, JSON.parse(failed.stdout)]).to.deep.include(1)
    expect(JSON.parse(failed.stdout)).to.include({ status: 'failed', answer: '' }).and.have.property('failure').that.is.a('string')
  })

  it('prints every event as a line of JSON with --events, and the result as the last one', async () => {
    setScript({ answer: () => writes('Hello.') })
    const { status, stdout } = await run(['--message', 'Hi', '--json', '--events'])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(status).to.equal(0)
    expect(lines.map(({ event }) => event)).to.include.members(['run.started', 'text.delta', 'run.completed'])
    expect(lines.at(-1)).to.include({ status: 'completed', answer: 'Hello.' })
    const refused = await run(['--message', 'Hi', '--events'])
    expect(refused).to.include({ status: 1, stderr: '--events prints JSON, so it needs --json beside it.\n' })
  })

  it('ends quietly when nothing reads its output any longer', async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index}\n`)
    setScript({ answer: () => writes(...lines) })
    const script = `"$0" "$1" chat --url "$2" --message Hi | head -1; echo "status \${PIPESTATUS[0]}"`
    const child = spawn('bash', ['-c', script, process.execPath, binary, asking.kernel.url], {
      cwd: asking.kernel.folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: asking.kernel.folder, ...person },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk
    })
    await once(child, 'close')
    expect({ stdout, stderr }).to.deep.equal({ stdout: 'line 0\nstatus 0\n', stderr: '' })
  })

  it('finds the service by AGENT_SERVICE_URL and by the port of the configuration', async () => {
    setScript({ answer: () => writes('Found.') })
    const { folder, url } = asking.kernel
    const { port } = new URL(url)
    for (const variables of [{ AGENT_SERVICE_URL: url }, { SERVICE_SERVER_PORT: port }]) {
      const command = runCommand(folder, ['chat', '--message', 'Hi'], { ...person, ...variables, UPSTREAM_KEY: 'key' })
      command.child.stdin?.end()
      expect([await command.ended, command.output()]).to.deep.equal([0, 'Found.\n'])
    }
  })
})
