import path from 'node:path'
import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree, repositoryRoot } from './repository-tree.js'

/**
 * One violation: what is planted, which check must find it, and the words by which the problem is
 * named.
 */
interface Violation {
  readonly rule: string
  readonly check: string
  readonly file: string
  readonly content: string
  readonly names: RegExp
}

const kernelClass = (line: string): string => `import { inject, injectable } from 'tsyringe'\n\n${line}\n`

const violations: readonly Violation[] = [
  {
    rule: 'what is for tests in what runs',
    check: 'specifiers',
    file: 'plugins/one/src/bench.ts',
    content: "export { bench } from './test-support/bench.js'\n",
    names: /plugins\/one\/src\/bench\.ts:1:23 runs, and imports what is for tests: "\.\/test-support\/bench\.js"/,
  },
  {
    rule: 'the testing kit of the kernel in what runs',
    check: 'specifiers',
    file: 'plugins/one/src/kernel.ts',
    content: "export { createTestKernel } from '@agent-service/kernel/testing'\n",
    names: /runs, and imports what is for tests: "@agent-service\/kernel\/testing"/,
  },
  {
    rule: 'a type error',
    check: 'types',
    file: 'plugins/one/src/index.ts',
    content: "export const count: number = 'one'\n",
    names: /plugins\/one\/src\/index\.ts.*TS2322/,
  },
  {
    rule: 'any',
    check: 'lint',
    file: 'sdk/src/any.ts',
    content: 'export const value: any = 1\n',
    names: /sdk\/src\/any\.ts.*noExplicitAny/,
  },
  {
    rule: 'a non-null assertion',
    check: 'lint',
    file: 'sdk/src/assertion.ts',
    content: 'export const first = (list: readonly string[]): string => list[0]!\n',
    names: /sdk\/src\/assertion\.ts.*noNonNullAssertion/,
  },
  {
    rule: 'an enum',
    check: 'lint',
    file: 'sdk/src/colour.ts',
    content: 'export enum Colour {\n  red = 1,\n}\n',
    names: /sdk\/src\/colour\.ts.*noEnum/,
  },
  {
    rule: 'the console in library code',
    check: 'lint',
    file: 'kernel/core/src/console.ts',
    content: "console.log('here')\n",
    names: /kernel\/core\/src\/console\.ts.*noConsole/,
  },
  {
    rule: 'the environment in library code',
    check: 'lint',
    file: 'plugins/one/src/environment.ts',
    content: "export const home = process.env['HOME']\n",
    names: /plugins\/one\/src\/environment\.ts.*noProcessEnv/,
  },
  {
    rule: 'a type imported as a value',
    check: 'lint',
    file: 'sdk/src/type-import.ts',
    content: "import { Static, TSchema } from 'typebox'\n\nexport type Value = Static<TSchema>\n",
    names: /sdk\/src\/type-import\.ts.*useImportType/,
  },
  {
    rule: 'a variable that never changes',
    check: 'lint',
    file: 'sdk/src/fixed.ts',
    content: 'let fixed = 1\nexport const twice = fixed + fixed\n',
    names: /sdk\/src\/fixed\.ts.*useConst/,
  },
  {
    rule: 'another format',
    check: 'lint',
    file: 'sdk/src/format.ts',
    content: 'export const a = "a";\n',
    names: /sdk\/src\/format\.ts.*format/,
  },
  {
    rule: 'a decorator outside the kernel',
    check: 'decorators',
    file: 'plugins/one/src/decorated.ts',
    content: 'declare const mark: ClassDecorator\n\n@mark\nexport class Marked {}\n',
    names: /plugins\/one\/src\/decorated\.ts:3:1 uses a decorator: @mark/,
  },
  {
    rule: "a module inside another package's folder",
    check: 'specifiers',
    file: 'plugins/one/src/inside.ts',
    content: "export { place } from '@agent-service/sdk/dist/index.js'\n",
    names: /src\/inside\.ts.*imports internals of a package/,
  },
  {
    rule: 'a relative path out of the package',
    check: 'specifiers',
    file: 'plugins/one/src/outside.ts',
    content: "export { place } from '../../../sdk/src/index.js'\n",
    names: /src\/outside\.ts.*leaves its package/,
  },
  {
    rule: 'the global container',
    check: 'containers',
    file: 'kernel/cli/src/global-container.ts',
    content: "import { container } from 'tsyringe'\n\nexport const child = container.createChildContainer()\n",
    names: /src\/global-container\.ts.*imports container of tsyringe/,
  },
  {
    rule: '@singleton',
    check: 'containers',
    file: 'kernel/cli/src/singleton.ts',
    content: "import { singleton } from 'tsyringe'\n\n@singleton()\nexport class Store {}\n",
    names: /src\/singleton\.ts.*imports singleton of tsyringe/,
  },
  {
    rule: 'delay',
    check: 'containers',
    file: 'kernel/cli/src/delay.ts',
    content: "import { delay } from 'tsyringe'\n\nexport const later = delay(() => Object)\n",
    names: /src\/delay\.ts.*imports delay of tsyringe/,
  },
  {
    rule: 'a class as a token',
    check: 'containers',
    file: 'kernel/cli/src/class-token.ts',
    content: kernelClass('@injectable()\nexport class Store {\n  constructor(@inject(Date) readonly date: Date) {}\n}'),
    names: /src\/class-token\.ts.*uses a class as a token: inject\(Date\)/,
  },
  {
    rule: 'a parameter without a token',
    check: 'containers',
    file: 'kernel/cli/src/no-token.ts',
    content: kernelClass(
      "@injectable()\nexport class Store {\n  constructor(\n    @inject('a') readonly a: string,\n    readonly b: string,\n  ) {}\n}",
    ),
    names: /src\/no-token\.ts.*has no @inject\(token\): b/,
  },
  {
    rule: 'tsyringe outside the kernel',
    check: 'containers',
    file: 'plugins/one/src/container.ts',
    content:
      "export type { DependencyContainer } from './container.js'\nimport { instanceCachingFactory } from 'tsyringe'\n\nexport const factory = instanceCachingFactory\n",
    names: /plugins\/one\/src\/container\.ts.*which only the kernel may/,
  },
  {
    rule: 'reflect-metadata away from an entry point',
    check: 'containers',
    file: 'kernel/cli/src/early.ts',
    content: "import 'reflect-metadata'\n",
    names: /kernel\/cli\/src\/early\.ts.*only an entry point/,
  },
  {
    rule: 'reflect-metadata after another import',
    check: 'containers',
    file: 'kernel/cli/src/main.ts',
    content: "import './index.js'\nimport 'reflect-metadata'\n",
    names: /kernel\/cli\/src\/main\.ts.*must come first/,
  },
  {
    rule: 'a package that the compiler does not see',
    check: 'workspaces',
    file: 'plugins/four/package.json',
    content: '{ "name": "four" }\n',
    names: /plugins\/four: tsconfig\.json is missing/,
  },
  { rule: 'a stray folder at the top', check: 'workspaces', file: 'stray/file.txt', content: 'here\n', names: /stray: does not belong/ },
  {
    rule: 'a folder that imports from one that imports from it',
    check: 'folders',
    file: 'plugins/one/src/upper/one.ts',
    content: "import { two } from '../lower/two.js'\n\nexport const one = two\n",
    names: /plugins\/one\/src\/lower, plugins\/one\/src\/upper import each other:/,
  },
  {
    rule: 'an import that points upwards, types included',
    check: 'folders',
    file: 'plugins/one/src/lower/two.ts',
    content: "import type { one } from '../upper/one.js'\n\nexport const two: typeof one = 2\n",
    names: /plugins\/one\/src\/lower\/two\.ts imports \.\.\/upper\/one\.js/,
  },
  {
    rule: 'a folder of screens that imports from one that imports from it',
    check: 'folders',
    file: 'plugins/one/web/upper/one.tsx',
    content: "import { two } from '../lower/two.js'\n\nexport const one = two\n",
    names: /plugins\/one\/web\/lower, plugins\/one\/web\/upper import each other:/,
  },
  {
    rule: 'an import of screens that points upwards',
    check: 'folders',
    file: 'plugins/one/web/lower/two.tsx',
    content: "import type { one } from '../upper/one.js'\n\nexport const two: typeof one = 2\n",
    names: /plugins\/one\/web\/lower\/two\.tsx imports \.\.\/upper\/one\.js/,
  },
]

describe('the checks of the repository', () => {
  let tree: RepositoryTree

  beforeEach(async () => {
    tree = await createRepositoryTree()
  })

  afterEach(() => tree.remove())

  it('pass on a tree without violations', async () => {
    const biome = path.join(repositoryRoot, 'node_modules/@biomejs/biome/bin/biome')
    const formatted = await tree.node([biome, 'format', '--write', '.'])
    expect(formatted.code, formatted.output).to.equal(0)
    const result = await tree.check(
      'types',
      'workspaces',
      'versions',
      'lint',
      'dependencies',
      'folders',
      'specifiers',
      'containers',
      'decorators',
      'web-budgets',
      'texts',
    )
    expect(result.output).to.match(/^(✓ .*\n){11}$/)
    expect(result.code).to.equal(0)
  })

  it('need no compiled code of a plugin that is only declared', async () => {
    await tree.write('plugins/four/package.json', '{ "name": "four", "agentService": { "plugin": "./plugin.json" } }\n')
    expect((await tree.check('workspaces')).code).to.equal(0)
    await tree.write('plugins/four/src/rules.ts', 'export const rules = []\n')
    expect((await tree.check('workspaces')).output).to.match(/plugins\/four: tsconfig\.json is missing/)
  })

  it('let an index import the folders below it', async () => {
    await tree.write('plugins/one/src/parts/index.ts', "export * from './deep/part.js'\n")
    await tree.write('plugins/one/src/parts/deep/part.ts', "export { whole } from '../whole.js'\n")
    await tree.write('plugins/one/src/parts/whole.ts', 'export const whole = 1\n')
    expect((await tree.check('folders')).output).to.match(/^✓ folders/)
  })

  it('refuse an unknown check', async () => {
    const result = await tree.check('beauty')
    expect(result.output).to.match(/unknown check beauty/)
    expect(result.code).to.equal(2)
  })
})

for (const check of new Set(violations.map((violation) => violation.check))) {
  describe(`the check ${check}`, () => {
    const planted = violations.filter((violation) => violation.check === check)
    let tree: RepositoryTree
    let output: string

    before(async () => {
      tree = await createRepositoryTree()
      for (const { file, content } of planted) await tree.write(file, content)
      const result = await tree.check(check)
      expect(result.code, result.output).to.equal(1)
      output = result.output
    })

    after(() => tree.remove())

    for (const { rule, names } of planted) {
      it(`finds ${rule}`, () => {
        expect(output).to.match(names)
      })
    }

    it('describes the fix', () => {
      expect(output).to.match(/^ {2}→ \S/m)
    })
  })
}
