import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'

const run = promisify(execFile)
const sdkFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2023', '--module', 'nodenext', '--skipLibCheck']

describe('docs/runs.md', function () {
  this.timeout(180_000)
  let folder: string
  let snippet: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-docs-'))
    const page = await readFile(path.join(sdkFolder, 'docs', 'runs.md'), 'utf8')
    snippet = /```ts file=index\.ts\n([\s\S]*?)```/.exec(page)?.[1] ?? expect.fail('the page has no snippet')
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
    await mkdir(path.join(folder, 'node_modules', '@agent-service'), { recursive: true })
    await symlink(sdkFolder, path.join(folder, 'node_modules', '@agent-service', 'sdk'))
  })

  after(() => rm(folder, { recursive: true, force: true }))

  it('has a snippet that type-checks, and would not with a misspelt member', async () => {
    await writeFile(path.join(folder, 'index.ts'), snippet)
    await writeFile(path.join(folder, 'misspelt.ts'), snippet.replace('reportsTo', 'reportTo'))
    const problems = await run(process.execPath, [compiler, ...options, 'index.ts', 'misspelt.ts'], { cwd: folder }).then(
      () => '',
      ({ stdout }: { readonly stdout: string }) => stdout,
    )
    const lines = problems.split('\n').filter((line) => line.includes('error TS'))
    expect(lines).to.have.length(1)
    expect(lines[0]).to.include('misspelt.ts').and.include('reportTo')
  })
})
