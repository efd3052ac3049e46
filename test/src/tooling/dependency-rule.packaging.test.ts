import { rm } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree } from './repository-tree.js'

/** One forbidden import: the rule that names it, and the files that are planted. */
interface ForbiddenImport {
  readonly rule: string
  readonly files: Readonly<Record<string, string>>
  /** Before, imports of types are not told from others. */
  readonly isFoundOnceCompiled?: boolean
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

const forbiddenInBrowsers: readonly ForbiddenImport[] = [
  {
    rule: 'no-circular-imports',
    files: { 'plugins/one/web/lists/first.tsx': reexport('./second.js'), 'plugins/one/web/lists/second.ts': reexport('./first.js') },
  },
  { rule: 'no-circular-imports', files: { 'sdk/web/ui/one.ts': reexport('./two.js'), 'sdk/web/ui/two.tsx': reexport('./one.js') } },
  { rule: 'no-orphans', files: { 'plugins/one/web/lists/forgotten.tsx': 'export const forgotten = true\n' } },
  { rule: 'no-unresolvable', files: { 'plugins/one/web/lists/absent.ts': reexport('./nowhere.js') } },
  { rule: 'screens-never-import-each-other', files: { 'plugins/one/web/screens/tasks/tasks.tsx': reexport('../chats/chats.js') } },
  {
    rule: 'screens-never-import-each-other',
    files: { 'plugins/two/web/screens/tasks/tasks.ts': reexport('../../../../one/web/screens/chats/chats.js') },
  },
  { rule: 'only-entries-import-screens', files: { 'plugins/one/web/ui/list.ts': reexport('../screens/chats/chats.js') } },
  { rule: 'only-entries-import-screens', files: { 'sdk/web/ui/list.ts': reexport('../../../plugins/one/web/screens/chats/chats.js') } },
  { rule: 'web-runs-in-browsers', files: { 'plugins/one/web/screens/chats/save.ts': reexport('node:timers/promises') } },
  { rule: 'web-runs-in-browsers', files: { 'sdk/web/core/wait.ts': reexport('timers/promises') } },
  { rule: 'plugins-never-import-each-other', files: { 'plugins/one/web/screens/chats/two.ts': reexport('@agent-service/two') } },
  { rule: 'plugins-never-import-each-other', files: { 'plugins/two/web/one.ts': reexport('../../one/web/main.js') } },
  { rule: 'sdk-imports-none-of-ours', files: { 'sdk/web/core/one.ts': reexport('@agent-service/one') } },
  { rule: 'plugins-import-only-the-sdk', files: { 'plugins/one/web/kernel.ts': reexport('@agent-service/kernel') } },
  { rule: 'web-imports-only-the-kit', files: { 'plugins/one/web/service.ts': reexport('../../../sdk/src/index.js') } },
  { rule: 'web-imports-only-the-kit', files: { 'plugins/one/web/author.ts': reexport('@agent-service/sdk') }, isFoundOnceCompiled: true },
  { rule: 'web-kit-stands-apart', files: { 'sdk/web/core/own.ts': reexport('../../src/index.js') } },
  { rule: 'web-and-src-stand-apart', files: { 'plugins/one/web/screens/chats/own.ts': reexport('../../../src/index.js') } },
  { rule: 'src-and-web-stand-apart', files: { 'plugins/one/src/screen.ts': reexport('../web/main.js') } },
  { rule: 'web-packages-are-declared', files: { 'plugins/one/web/screens/chats/vendor.ts': reexport('yaml') } },
]

const allowed: Readonly<Record<string, string>> = {
  'sdk/src/index.ts': "import path from 'node:path'\n\nexport type { TSchema } from 'typebox'\nexport const separator = path.sep\n",
  'kernel/cli/src/index.ts': reexport('@agent-service/sdk'),
  'kernel/cli/src/testing/index.ts': 'export const kit = true\n',
  'plugins/one/src/index.ts': reexport('@agent-service/sdk'),
  'plugins/one/src/one.test.ts': `import 'chai'\n\n${reexport('@agent-service/kernel/testing')}`,
  'plugins/one/web/main.tsx': "import './screens/chats/index.js'\n",
  'plugins/one/web/screens/chats/index.ts': "export const load = () => import('./chats.js')\n",
  'plugins/one/web/screens/chats/chats.tsx': `import type { TSchema } from '@agent-service/sdk'
import { api } from '@agent-service/sdk/web'
import { parse } from '@agent-service/sdk/markdown'
import { createSignal } from 'solid-js'
import { row } from '../../lists/row.js'

export const chats: readonly [TSchema?] = [api, parse, createSignal, row]
`,
  'plugins/one/web/lists/row.tsx': "import { createSignal } from 'solid-js'\n\nexport const row = createSignal\n",
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

    for (const [where, imports] of Object.entries({ Node: forbidden, browsers: forbiddenInBrowsers })) {
      describe(`with violations in what runs in ${where}`, () => {
        const planted = imports.filter(({ isFoundOnceCompiled = false }) => isCompiled || !isFoundOnceCompiled)
        let output: string

        before(async () => {
          for (const name of ['core', 'services', 'accounts', 'settings'])
            await tree.write(`kernel/${name}/package.json`, JSON.stringify({ name: `@agent-service/kernel-${name}` }))
          for (const { files } of planted) await tree.writeAll(files)
          const result = await tree.check('dependencies')
          expect(result.code).to.equal(1)
          output = result.output
        })

        // The check names a limited number of problems, those of the other group among them.
        after(async () => {
          for (const file of planted.flatMap(({ files }) => Object.keys(files))) await rm(path.join(tree.root, file))
        })

        for (const { rule, files } of planted) {
          const [file = ''] = Object.keys(files)
          it(`names ${rule} for ${file}`, () => {
            expect(output).to.include(`    ${rule}: ${file}`)
          })
        }

        it('describes the fix', () => {
          expect(output).to.match(/^ {2}→ CONTRIBUTING\.md/m)
        })
      })
    }
  })
}
