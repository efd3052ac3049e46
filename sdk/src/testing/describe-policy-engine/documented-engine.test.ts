import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import ts from 'typescript'
import { createCollectingRunner } from '../collecting-runner.js'
import { describePolicyEngine } from './index.js'

const run = promisify(execFile)
const sdkFolder = fileURLToPath(new URL('../../../', import.meta.url))
const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }
const javaScriptOf = (code: string): string => ts.transpileModule(code, { compilerOptions }).outputText

/** The example in the comment of `describePolicyEngine`. */
async function exampleOfTheComment(): Promise<string> {
  const source = await readFile(path.join(sdkFolder, 'src/testing/describe-policy-engine/describe-policy-engine.ts'), 'utf8')
  const [, example = ''] = /@example\n([\s\S]*?) \*\//.exec(source) ?? []
  return example.replaceAll(/^ \* ?/gm, '')
}

describe('the documented policy engine', function () {
  this.timeout(30_000)
  let folder: string
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-engine-'))
    const page = await readFile(path.join(sdkFolder, 'docs/points/policy-engine.md'), 'utf8')
    for (const [, name, code] of page.matchAll(/```ts file=(\S+)\n([\s\S]*?)```/g))
      await writeFile(path.join(folder, String(name).replace(/\.ts$/, '.js')), javaScriptOf(String(code)))
    await writeFile(path.join(folder, 'package.json'), '{ "name": "policy-line", "version": "1.0.0", "type": "module" }')
    await mkdir(path.join(folder, 'node_modules/@agent-service'), { recursive: true })
    await symlink(sdkFolder, path.join(folder, 'node_modules/@agent-service/sdk'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('passes the test of its page unchanged', async () => {
    const { stdout } = await run(process.execPath, ['--test'], { cwd: folder })
    expect(stdout).to.match(/pass 1\b/)
    expect(stdout).to.match(/fail 0\b/)
  })

  it('passes the example of the suite’s comment', async () => {
    const { createLineEngine } = (await import(path.join(folder, 'index.js'))) as { readonly createLineEngine: () => unknown }
    const runner = createCollectingRunner()
    const describe = (options: Parameters<typeof describePolicyEngine>[0]) => describePolicyEngine({ ...options, runner })
    const example = javaScriptOf(await exampleOfTheComment())
    new Function('describePolicyEngine', 'createLineEngine', `${example}\ntestLineEngine(createLineEngine)`)(describe, createLineEngine)
    const results = await runner.run()
    expect(results.length).to.be.above(30)
    expect(results.filter(({ error }) => error !== undefined)).to.deep.equal([])
  })
})
