import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { builtPlugins } from './built-plugins.js'

const run = promisify(execFile)
const program = fileURLToPath(new URL('../../../sdk/bin/agent-service-plugin.mjs', import.meta.url))
const examples = fileURLToPath(new URL('../../../examples', import.meta.url))

/**
 * Builds every example with this release of the SDK in it, as a plugin that a third party built and
 * then left alone: `node test/dist/upgrades/make-built-plugins.js <release>`. Later releases have to
 * run them, or say how to mend them.
 */
async function makeBuiltPlugins(release: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-built-plugins-'))
  try {
    for (const name of await readdir(examples)) await makePlugin(path.join(examples, name), path.join(folder, name))
    await mkdir(builtPlugins, { recursive: true })
    const archive = path.join(builtPlugins, `${release}.tar.gz`)
    await run('tar', ['--create', '--gzip', '--sort=name', '--owner=0', '--group=0', '--file', archive, '--directory', folder, '.'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function makePlugin(source: string, target: string): Promise<void> {
  const { name, version } = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8')) as Record<'name' | 'version', string>
  await mkdir(target)
  const bundle = await rolldown({ input: path.join(source, 'dist/index.js'), platform: 'node', treeshake: { moduleSideEffects: false } })
  await bundle.write({ file: path.join(target, 'index.js'), format: 'esm', codeSplitting: false })
  await bundle.close()
  const exports = { '.': './index.js', './package.json': './package.json' }
  const about = { name, version, type: 'module', exports, agentService: { plugin: './plugin.json' } }
  await writeFile(path.join(target, 'package.json'), `${JSON.stringify(about, null, 2)}\n`)
  await run(process.execPath, [program, 'build', target])
}

const [release] = process.argv.slice(2)
if (release === undefined) throw new Error('Name the release: node test/dist/upgrades/make-built-plugins.js <release>')
await makeBuiltPlugins(release)
