import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { createRepositoryTree, type RepositoryTree } from './repository-tree.js'

/** One edit of a file by text, and the problem that the check must name. */
interface Edit {
  readonly rule: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly names: RegExp
}

const edits: readonly Edit[] = [
  {
    rule: 'a caret',
    file: 'package.json',
    from: '"5.9.3"',
    to: '"^5.9.3"',
    names: /package\.json: devDependencies\.typescript is "\^5\.9\.3", which is not an exact version/,
  },
  {
    rule: 'a tag',
    file: 'sdk/package.json',
    from: '"1.4.3"',
    to: '"latest"',
    names: /sdk\/package\.json: dependencies\.typebox is "latest"/,
  },
  {
    rule: 'a range between packages of the repository',
    file: 'plugins/one/package.json',
    from: '"@agent-service/sdk": "1.0.0"',
    to: '"@agent-service/sdk": "~1.0.0"',
    names: /plugins\/one\/package\.json: peerDependencies\.@agent-service\/sdk is "~1\.0\.0"/,
  },
  {
    rule: 'a version that the lock file does not have',
    file: 'sdk/package.json',
    from: '"1.4.3"',
    to: '"1.4.4"',
    names: /sdk\/package\.json: dependencies\.typebox is 1\.4\.4, in the lock file 1\.4\.3/,
  },
  {
    rule: 'a locked package of another version',
    file: 'package-lock.json',
    from: '"node_modules/typebox": {\n      "version": "1.4.3"',
    to: '"node_modules/typebox": {\n      "version": "1.4.2"',
    names: /sdk\/package\.json: typebox 1\.4\.3 is locked as 1\.4\.2/,
  },
  {
    rule: 'an alias that is locked as another package',
    file: 'package-lock.json',
    from: '"name": "typescript",',
    to: '"name": "typescripts",',
    names: /package\.json: compiler npm:typescript@7\.0\.2 is locked as npm:typescripts@7\.0\.2/,
  },
  {
    rule: 'a lock file without the builds for other platforms',
    file: 'package-lock.json',
    from: '"node_modules/typebox": {',
    to: '"node_modules/typebox": {\n      "optionalDependencies": { "typebox-other-platform": "1.4.3" },',
    names: /package-lock\.json: typebox-other-platform, which node_modules\/typebox needs, is missing/,
  },
  {
    rule: 'the address of a registry',
    file: 'package-lock.json',
    from: '"node_modules/typebox": {',
    to: '"node_modules/typebox": {\n      "resolved": "https://registry.invalid/typebox.tgz",',
    names: /package-lock\.json: node_modules\/typebox names the URL of a registry/,
  },
]

describe('the check versions', () => {
  let tree: RepositoryTree

  beforeEach(async () => {
    tree = await createRepositoryTree()
  })

  afterEach(() => tree.remove())

  for (const { rule, file, from, to, names } of edits) {
    it(`finds ${rule}`, async () => {
      const text = await readFile(path.join(tree.root, file), 'utf8')
      expect(text).to.include(from)
      await tree.write(file, text.replace(from, to))
      const result = await tree.check('versions')
      expect(result.output).to.match(names)
      expect(result.code).to.equal(1)
    })
  }
})
