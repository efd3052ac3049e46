import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree } from './repository-tree.js'

/** One forbidden import: the rule that names it, and the files that are planted. */
interface ForbiddenImport {
  readonly rule: string
  readonly files: Readonly<Record<string, string>>
}

const reexport = (module: string): string => `export * from '${module}'\n`

const forbidden: readonly ForbiddenImport[] = [
  { rule: 'sdk-imports-only-typebox', files: { 'sdk/src/vendor.ts': reexport('yaml') } },
  { rule: 'markdown-kit-runs-in-browsers', files: { 'sdk/src/kits/markdown/index.ts': reexport('node:timers/promises') } },
  { rule: 'sdk-imports-none-of-ours', files: { 'sdk/src/kernel.ts': reexport('@agent-service/kernel') } },
  { rule: 'sdk-imports-none-of-ours', files: { 'sdk/src/one.test.ts': reexport('@agent-service/one') } },
  { rule: 'kernel-knows-no-feature', files: { 'kernel/cli/src/plugin.ts': reexport('@agent-service/one') } },
  { rule: 'kernel-knows-no-feature', files: { 'kernel/cli/src/example.ts': reexport('@agent-service/three') } },
  { rule: 'core-stands-alone', files: { 'kernel/core/src/accounts.ts': reexport('@agent-service/kernel-accounts') } },
  { rule: 'core-stands-alone', files: { 'kernel/core/src/kernel.ts': reexport('@agent-service/kernel') } },
  { rule: 'services-know-only-the-core', files: { 'kernel/services/src/accounts.ts': reexport('@agent-service/kernel-accounts/policy') } },
  { rule: 'accounts-know-only-the-core', files: { 'kernel/accounts/src/settings.ts': reexport('@agent-service/kernel-settings/save') } },
  { rule: 'settings-know-only-the-core', files: { 'kernel/settings/src/kernel.ts': reexport('@agent-service/kernel') } },
  { rule: 'plugins-import-only-the-sdk', files: { 'plugins/one/src/kernel.ts': reexport('@agent-service/kernel') } },
  { rule: 'plugins-import-only-the-sdk', files: { 'plugins/one/src/kit.ts': reexport('@agent-service/kernel/testing') } },
  { rule: 'plugin-tests-use-only-kernel-testing', files: { 'plugins/one/src/kernel.test.ts': reexport('@agent-service/kernel') } },
  { rule: 'plugins-never-import-each-other', files: { 'plugins/one/src/two.ts': reexport('@agent-service/two') } },
  { rule: 'plugins-never-import-each-other', files: { 'plugins/one/src/two.test.ts': reexport('@agent-service/two') } },
  { rule: 'examples-import-only-the-sdk', files: { 'examples/three/src/kernel.ts': reexport('@agent-service/kernel') } },
  { rule: 'examples-import-only-the-sdk', files: { 'examples/three/src/plugin.ts': reexport('@agent-service/one') } },
  { rule: 'no-undeclared-dependency', files: { 'plugins/one/src/vendor.ts': reexport('yaml') } },
  { rule: 'no-development-dependency-at-run-time', files: { 'plugins/two/src/vendor.ts': reexport('yaml') } },
  { rule: 'no-unresolvable', files: { 'plugins/one/src/absent.ts': reexport('./nowhere.js') } },
  { rule: 'no-orphans', files: { 'kernel/cli/src/forgotten.ts': 'export const forgotten = true\n' } },
  {
    rule: 'no-circular-imports',
    files: { 'kernel/cli/src/first.ts': reexport('./second.js'), 'kernel/cli/src/second.ts': reexport('./first.js') },
  },
]

const allowed: Readonly<Record<string, string>> = {
  'sdk/src/index.ts': "import path from 'node:path'\n\nexport type { TSchema } from 'typebox'\nexport const separator = path.sep\n",
  'kernel/cli/src/index.ts': reexport('@agent-service/sdk'),
  'kernel/cli/src/testing/index.ts': 'export const kit = true\n',
  'plugins/one/src/index.ts': reexport('@agent-service/sdk'),
  'plugins/one/src/one.test.ts': `import 'chai'\n\n${reexport('@agent-service/kernel/testing')}`,
  'examples/three/src/index.ts': reexport('@agent-service/sdk'),
}

for (const isCompiled of [true, false]) {
  describe(`the dependency rule, ${isCompiled ? 'with' : 'without'} compiled packages`, () => {
    let tree: RepositoryTree

    before(async () => {
      tree = await createRepositoryTree()
      await tree.write('kernel/cli/src/testing/index.ts', 'export const kit = true\n')
      if (isCompiled) {
        const compiled = await tree.node(['node_modules/typescript-7/bin/tsc', '--build'])
        expect(compiled).to.deep.equal({ code: 0, output: '' })
      }
      await tree.writeAll(allowed)
    })

    after(() => tree.remove())

    it('allows the permitted imports of each package', async () => {
      const result = await tree.check('dependencies')
      expect(result.output, result.output).to.match(/^✓ dependencies/)
      expect(result.code).to.equal(0)
    })

    describe('with violations', () => {
      let output: string

      before(async () => {
        for (const name of ['core', 'services', 'accounts', 'settings'])
          await tree.write(`kernel/${name}/package.json`, JSON.stringify({ name: `@agent-service/kernel-${name}` }))
        for (const { files } of forbidden) await tree.writeAll(files)
        const result = await tree.check('dependencies')
        expect(result.code).to.equal(1)
        output = result.output
      })

      for (const { rule, files } of forbidden) {
        const planted = Object.keys(files)[0] ?? ''
        it(`names ${rule} for ${planted}`, () => {
          expect(output).to.include(`    ${rule}: ${planted}`)
        })
      }

      it('describes the fix', () => {
        expect(output).to.match(/^ {2}→ CONTRIBUTING\.md/m)
      })
    })
  })
}
