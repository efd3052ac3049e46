import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import ts from 'typescript'

const run = promisify(execFile)
const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }
const sdkFolder = fileURLToPath(new URL('../../../', import.meta.url))

describe('the page docs/quotas.md', function () {
  this.timeout(30_000)

  it('has a plugin whose test passes unchanged', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-quotas-'))
    try {
      const page = await readFile(path.join(sdkFolder, 'docs', 'quotas.md'), 'utf8')
      for (const [, name, code] of page.matchAll(/```\w+ file=(\S+)\n([\s\S]*?)```/g)) {
        const { outputText } = ts.transpileModule(String(code), { compilerOptions })
        await writeFile(path.join(folder, String(name).replace(/\.ts$/, '.js')), outputText)
      }
      await writeFile(path.join(folder, 'package.json'), '{ "name": "tool-dice", "version": "1.0.0", "type": "module" }')
      await mkdir(path.join(folder, 'node_modules', '@agent-service'), { recursive: true })
      await symlink(sdkFolder, path.join(folder, 'node_modules', '@agent-service', 'sdk'))
      const { stdout } = await run(process.execPath, ['--test'], { cwd: folder })
      expect(stdout).to.match(/pass 1\b/)
      expect(stdout).to.match(/fail 0\b/)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
