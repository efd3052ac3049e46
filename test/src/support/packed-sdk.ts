import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Packages of the build and the tests, as a developer of a plugin would install them. */
const tools = ['typescript', 'mocha', '@types/node', '@types/mocha']

/**
 * Fills an empty folder with an example, the packed SDK, and the tools of its build and its tests:
 * nothing of the repository besides.
 */
export async function unpackExample(folder: string, example: string): Promise<void> {
  await installSdk(folder)
  for (const tool of tools) await link(join(root, 'node_modules', tool), join(folder, 'node_modules', tool))
  await link(join(root, 'node_modules/typescript/bin/tsc'), join(folder, 'node_modules/.bin/tsc'))
  await link(join(root, 'node_modules/mocha/bin/mocha.js'), join(folder, 'node_modules/.bin/mocha'))
  await link(
    join(folder, 'node_modules/@agent-service/sdk/bin/agent-service-plugin.mjs'),
    join(folder, 'node_modules/.bin/agent-service-plugin'),
  )
  for (const name of ['package.json', 'tsconfig.json', 'README.md', 'src']) {
    await cp(join(root, 'examples', example, name), join(folder, name), { recursive: true })
  }
}

/** Packs the SDK as it would be published and unpacks it, with the packages that it needs. */
async function installSdk(folder: string): Promise<void> {
  const place = join(folder, 'node_modules/@agent-service/sdk')
  await mkdir(place, { recursive: true })
  await run('npm', ['pack', '--offline', '--ignore-scripts', '--pack-destination', folder], { cwd: join(root, 'sdk') })
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  if (archive === undefined) throw new Error('npm packed no archive of the SDK.')
  await run('tar', ['-xzf', join(folder, archive), '-C', place, '--strip-components=1'])
  const { dependencies } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as { readonly dependencies: object }
  for (const name of Object.keys(dependencies)) {
    await cp(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true })
  }
}

async function link(target: string, place: string): Promise<void> {
  await mkdir(join(place, '..'), { recursive: true })
  await symlink(target, place)
}
