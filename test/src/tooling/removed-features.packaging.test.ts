import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { confirm, signUp } from '../support/api.js'
import { startServiceProcess } from '../support/service-process.js'
import { repositoryRoot } from './repository-tree.js'
import { startNode } from './running-program.js'

const run = promisify(execFile)
const gone = ['feature-tasks', 'cli-tasks', 'feature-prompts', 'cli-prompts']
const names = /\b(tasks|prompts)\b/

/** Files of the copy that a person edits too, who leaves features out. */
async function edit<Content>(file: string, change: (content: Content) => unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')) as Content), undefined, 2)}\n`)
}

/**
 * A copy of the repository as it is built, without the features, tests and examples. Times stay to the nanosecond, as Node's own
 * copies do not keep them, so that only what the removal concerns is built again.
 */
async function copyWithout(root: string): Promise<void> {
  const copied = ['package.json', 'package-lock.json', 'tsconfig.json', 'sdk', 'kernel', 'plugins', 'resources']
  await run('cp', ['-a', ...copied, root], { cwd: repositoryRoot })
  for (const id of gone) await rm(path.join(root, 'plugins', id), { recursive: true })
  await edit<{ readonly workspaces: readonly string[] }>(path.join(root, 'package.json'), (manifest) => ({
    ...manifest,
    workspaces: manifest.workspaces.filter((each) => each !== 'test' && !each.startsWith('examples/')),
  }))
  await edit<{ readonly references: readonly { readonly path: string }[] }>(path.join(root, 'tsconfig.json'), (project) => ({
    ...project,
    references: project.references.filter((each) => !/^(test|examples)\b/.test(each.path) && !gone.includes(each.path.split('/')[1] ?? '')),
  }))
  await linkModules(root)
}

/** The installed packages, those of the repository itself as they are in the copy, and the stamps of what is built. */
async function linkModules(root: string): Promise<void> {
  const [source, target] = [path.join(repositoryRoot, 'node_modules'), path.join(root, 'node_modules')]
  await mkdir(path.join(target, '@agent-service'), { recursive: true })
  for (const name of await readdir(source))
    if (name !== '@agent-service' && name !== '.cache') await symlink(path.join(source, name), path.join(target, name))
  for (const folder of ['sdk', ...(await listIn(root, 'kernel')), ...(await listIn(root, 'plugins'))]) {
    const manifest = await readFile(path.join(root, folder, 'package.json'), 'utf8').catch(() => undefined)
    if (manifest === undefined) continue
    const { name } = JSON.parse(manifest) as { readonly name: string }
    await symlink(path.join(root, folder), path.join(target, name))
  }
  const stamps = '.cache/agent-service'
  for (const name of await readdir(path.join(source, stamps)))
    if (/^web-.*\.stamp$/.test(name)) await cp(path.join(source, stamps, name), path.join(target, stamps, name))
}

const listIn = async (root: string, folder: string): Promise<readonly string[]> =>
  (await readdir(path.join(root, folder))).map((name) => `${folder}/${name}`)

describe('the repository without the folders of some features', function () {
  this.timeout(480_000)
  let root: string
  before(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'agent-service-without-'))
    await copyWithout(root)
  })
  after(() => rm(root, { recursive: true, force: true, maxRetries: 3 }))

  it('compiles and builds', async () => {
    const { code, output } = await startNode(root, ['kernel/scripts/build.mjs'], {}).ended
    expect(output).to.match(/✓ Compiling[\s\S]*✓ Bundling/)
    expect(code, output).to.equal(0)
  })

  it('starts, and its API, its console and its command line know nothing of them', async () => {
    const service = await startServiceProcess({ repository: root })
    try {
      const admin = await signUp(service.url, 'ada')
      await confirm(admin)
      const read = async (target: string) =>
        (await admin.request('GET', target)).body as { readonly items: readonly Record<string, unknown>[] }
      const panels = await read('/api/console/panels?limit=200')
      expect(panels.items.length).to.be.greaterThan(20)
      expect(panels.items.map(({ id }) => String(id)).filter((id) => names.test(id))).to.deep.equal([])
      const plugins = await read('/api/admin/plugins?limit=200')
      expect(plugins.items.map(({ id }) => id)).to.not.include.members(gone)
      const troubled = plugins.items.filter(({ state }) => ['failed', 'invalid', 'blocked'].includes(String(state)))
      expect(troubled).to.deep.equal([])
      const { paths } = (await (await fetch(`${service.url}/api/openapi.json`)).json()) as {
        readonly paths: Readonly<Record<string, unknown>>
      }
      expect(Object.keys(paths).filter((each) => names.test(each))).to.deep.equal([])
      expect((await fetch(`${service.url}/api/tasks`)).status).to.equal(404)
      const page = await (await fetch(`${service.url}/`)).text()
      expect(page).to.match(/assets\/index-[\w-]+\.js/)
    } finally {
      expect(await service.stop()).to.equal(0)
    }
    // A service without a model says so.
    const complaints = service.log.filter((line) => /"level":"(error|warn)"/.test(line) && !line.includes('models: is empty'))
    expect(complaints).to.deep.equal([])
    const help = await startNode(root, ['kernel/cli/bin/agent-service.mjs', '--help'], {}).ended
    expect(help.output).to.include('skills').and.to.not.match(names)
  })
})
