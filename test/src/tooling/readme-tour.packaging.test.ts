import { spawn } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'

const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')

interface Step {
  readonly command: string
  readonly shown: readonly string[]
}

for (const page of ['README.md', 'kernel/docs/agents.md', 'kernel/docs/command-line.md']) {
  describe(`the examples in ${page}`, function () {
    this.timeout(120_000)
    let service: ServiceProcess
    let steps: readonly Step[]

    before(async () => {
      steps = readSteps(await readFile(path.join(repository, page), 'utf8'))
      expect(steps.length).to.be.at.least(8)
      service = await startServiceProcess({ folder: await mkdtemp(path.join(tmpdir(), 'agent-service-tour-')), arguments: ['--demo'] })
    })

    after(async () => {
      await service?.stop()
      if (service) await removeFolder(service.folder)
    })

    it('print the output on the page, word for word', async () => {
      const address = new URL(service.url).host
      const script = steps.map(({ command }, index) => `${command}\nprintf '\\n%s\\n' '=== ${index}'`).join('\n')
      const output = await bash(script.replaceAll('localhost:3001', address), { AGENT_SERVICE_URL: service.url, HOME: service.folder })
      let rest = output
      for (const [index, { command, shown }] of steps.entries()) {
        const end = rest.indexOf(`\n=== ${index}\n`)
        expect(end, `“${command}” did not end. The output was:\n${output}`).to.be.at.least(0)
        const text = rest.slice(0, end).trimEnd()
        rest = rest.slice(end + `\n=== ${index}\n`.length)
        expect(text, `$ ${command}`).to.match(pattern(shown.join('\n')))
      }
    })
  })
}

/** Every line that begins with `$ ` in a `console` block, with what is shown below it. */
function readSteps(page: string): readonly Step[] {
  const steps: { readonly command: string; readonly shown: string[] }[] = []
  for (const [, block] of page.matchAll(/```console\n([\s\S]*?)```/g)) {
    for (const line of (block ?? '').trimEnd().split('\n')) {
      if (line.startsWith('$ ')) steps.push({ command: line.slice(2), shown: [] })
      else steps.at(-1)?.shown.push(line)
    }
  }
  return steps
}

/** The shown text, in which `…` stands for anything on the line. */
const pattern = (shown: string): RegExp => new RegExp(`^${shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}$`)

function bash(script: string, environment: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    // Both outputs, as on a terminal; without npm, whose start takes longer than the command
    // itself.
    const child = spawn('bash', ['-c', `exec 2>&1\nnpx() { "$@"; }\n${script}`], {
      cwd: repository,
      env: { PATH: `${path.join(repository, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`, NO_COLOR: '1', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })
}
