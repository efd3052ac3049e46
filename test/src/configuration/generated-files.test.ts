import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runCommandLine } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { removeFolder } from '../support/service-process.js'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const example = path.join(repository, 'resources/config.example.yaml')

describe('what is generated from the schema of the configuration', function () {
  this.timeout(30_000)

  it('is fresh: the reference for people and the schema for editors', async () => {
    const script = path.join(repository, 'kernel/scripts/configuration-reference.mjs')
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script]).catch(
      (error: { stdout: string; stderr: string }) => error,
    )
    expect(stdout + stderr).to.equal('')
  })

  it('names every field that the service explains, with its variable', async () => {
    const page = await readFile(path.join(repository, 'kernel/docs/configuration.md'), 'utf8')
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-reference-'))
    try {
      const { output } = await runCommandLine(['config', 'explain', '--json'], { workingDirectory: folder, environment: {} })
      const fields = JSON.parse(output) as readonly { readonly path: string; readonly variable: string }[]
      expect(fields.length).to.be.greaterThan(100)
      for (const field of fields.filter(({ path: at }) => !['providers', 'models', 'plugins.settings'].includes(at)))
        expect(page, field.path).to.contain(`| \`${field.path}\` | \`${field.variable}\` |`)
    } finally {
      await removeFolder(folder)
    }
  })

  it('is what the example file names, and the service starts with that file', async () => {
    const [modeline = ''] = (await readFile(example, 'utf8')).split('\n')
    const schema = /^# yaml-language-server: \$schema=(\S+)$/.exec(modeline)?.[1] ?? 'no schema'
    expect(JSON.parse(await readFile(path.join(path.dirname(example), schema), 'utf8'))).to.have.property('$defs')
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-example-'))
    try {
      await mkdir(path.join(folder, 'data'))
      await copyFile(example, path.join(folder, 'data', 'config.yaml'))
      const environment = { ENCRYPTION_SECRET: 'a secret for tests alone', OPENAI_API_KEY: 'one', ANTHROPIC_API_KEY: 'two' }
      const { output } = await runCommandLine(['config', 'check', '--json'], { workingDirectory: folder, environment })
      expect(JSON.parse(output)).to.deep.include({ problems: [], overlaps: [] })
    } finally {
      await removeFolder(folder)
    }
  })
})
