import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { CliCommand, CommandContext } from '../contracts/cli-command/index.js'

const run = promisify(execFile)
const sdkFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

describe('docs/write-a-plugin.md', function () {
  this.timeout(30_000)
  let folder: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-docs-'))
    const page = await readFile(path.join(sdkFolder, 'docs', 'write-a-plugin.md'), 'utf8')
    const files = [...page.matchAll(/```\w+ file=(\S+)\n([\s\S]*?)```/g)]
    expect(files.map(([, name]) => name)).to.deep.equal(['package.json', 'index.js', 'index.test.js', 'command.js'])
    for (const [, name, text] of files) await writeFile(path.join(folder, String(name)), String(text))
    await mkdir(path.join(folder, 'node_modules', '@agent-service'), { recursive: true })
    await symlink(sdkFolder, path.join(folder, 'node_modules', '@agent-service', 'sdk'))
  })

  after(() => rm(folder, { recursive: true, force: true }))

  const plugin = (command: string) =>
    run(process.execPath, [path.join(sdkFolder, 'bin', 'agent-service-plugin.mjs'), command, '.'], { cwd: folder })

  it('builds the plugin as the page says', async () => {
    await plugin('build')
    const manifest = JSON.parse(await readFile(path.join(folder, 'plugin.json'), 'utf8')) as Record<string, unknown>
    expect(manifest).to.include({ id: 'tool-dice', version: '1.0.0', entry: './index.js' })
    await plugin('validate')
  })

  it('passes the test of the page', async () => {
    const { stdout } = await run(process.execPath, ['--test'], { cwd: folder })
    expect(stdout).to.match(/pass 1\b/)
    expect(stdout).to.match(/fail 0\b/)
  })

  it('runs the command of the page', async () => {
    const { createDiceCommand } = (await import(pathToFileURL(path.join(folder, 'command.js')).href)) as {
      readonly createDiceCommand: (sides: number) => CliCommand
    }
    const lines: string[] = []
    const context = { arguments: ['3'], print: async (line: string) => void lines.push(line) } as unknown as CommandContext
    const { status, json } = await createDiceCommand(6).run(context)
    expect(status).to.equal(0)
    expect((json as { readonly rolled: readonly number[] }).rolled.join(' ')).to.equal(lines[0])
    expect(lines[0]).to.match(/^[1-6] [1-6] [1-6]$/)
  })
})
