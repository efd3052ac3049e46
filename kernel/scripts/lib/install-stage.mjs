import { existsSync } from 'node:fs'
import path from 'node:path'
import { npmCommand, runCommand } from './child-process.mjs'
import { failure } from './failure.mjs'
import { missingBuildTools } from './prerequisites.mjs'
import { digest, digestContents } from './stamps.mjs'
import { listWorkspaces, readJson } from './workspaces.mjs'

/**
 * The release of better-sqlite3 for this Node. Both are optional to npm, since one is for another
 * Node; this one is required.
 */
const sqlite = Number(process.versions.napi) >= 10 ? 'better-sqlite3-node-api' : 'better-sqlite3'

/**
 * Packages with native code, and an expression that fails when it was not built for this Node
 * version. Without an optional one the service runs, and lacks what it says.
 */
const nativePackages = [
  { name: sqlite, probe: `new (require('${sqlite}'))(':memory:').close()` },
  { name: 'argon2', probe: "require('argon2')" },
  { name: 'fs-native-extensions', probe: "require('fs-native-extensions')" },
  { name: 'node-pty', probe: "require('node-pty')", optional: 'terminals in the sandbox' },
]

/**
 * A stamp of what determines `node_modules`: the lock file, every `package.json`, the platform and
 * Node's native interface.
 */
export function installStamp(root) {
  const files = ['package-lock.json', 'package.json', ...listWorkspaces(root).map((folder) => `${folder}/package.json`)]
  return digest(digestContents(root, files), process.platform, process.arch, process.versions.modules)
}

/**
 * Whether `node_modules` already has what the lock file names, because npm was run by hand: npm
 * writes its own list of installed packages as the last step of an installation.
 */
export function isInstalledByHand(root) {
  const installedFile = path.join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return false
  const installed = readJson(installedFile).packages ?? {}
  const locked = readJson(path.join(root, 'package-lock.json')).packages ?? {}
  return Object.entries(locked).every(([location, entry]) => {
    if (!location.startsWith('node_modules/') && !location.includes('/node_modules/')) return true
    const found = installed[location]
    if (found === undefined) return entry.optional === true || entry.peer === true
    return entry.link === true ? found.link === true : found.version === entry.version && found.integrity === entry.integrity
  })
}

/**
 * Installs exactly what the lock file names, native builds included; with `workspaces` only what
 * these need.
 */
export async function installPackages(root, onDetail, workspaces = []) {
  const npm = npmCommand([
    ...['ci', '--include=dev', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error', '--progress=false'],
    ...workspaces.map((folder) => `--workspace=${folder}`),
  ])
  onDetail('npm ci')
  let result
  try {
    result = await runCommand(npm.command, npm.args, { cwd: root })
  } catch (cause) {
    throw failure('npm could not be started', { cause, output: cause.message, mend: 'Install npm (it comes with Node) and try again.' })
  }
  if (result.code !== 0) {
    throw failure('npm could not install the packages', { output: result.output, mend: adviceForInstall(result.output) })
  }
  onDetail('checking native packages')
  await verifyNativePackages(root)
}

/**
 * Loads every native package that the lock file names; a failure names those that do not load and
 * what is missing. What an optional one lacks is only reported.
 */
export async function verifyNativePackages(root, { stream = process.stderr } = {}) {
  const broken = []
  const locked = readJson(path.join(root, 'package-lock.json')).packages ?? {}
  for (const { name, probe, optional } of nativePackages) {
    const location = `node_modules/${name}`
    if (!(location in locked) && !existsSync(path.join(root, location))) continue
    const result = await runCommand(process.execPath, ['--eval', probe], { cwd: root, timeoutMs: 60_000 })
    if (result.code === 0) continue
    if (optional === undefined) broken.push({ name, output: result.output })
    else stream.write(`${name} does not load, so there are no ${optional}. ${buildToolsAdvice()} Then run: npm rebuild ${name}\n`)
  }
  if (broken.length === 0) return
  const names = broken.map(({ name }) => name).join(' ')
  throw failure(`native packages do not load: ${names}`, {
    output: broken.map(({ name, output }) => `${name}:\n${output.trimEnd()}`).join('\n'),
    mend: `${buildToolsAdvice()} Then run: npm rebuild --foreground-scripts ${names}`,
  })
}

/** How to fix a failed installation, from the output of npm. */
export function adviceForInstall(output, searchPath) {
  if (/gyp ERR!|node-gyp|prebuild-install|not found: make/.test(output)) return buildToolsAdvice(searchPath)
  if (
    /\b(ENOTFOUND|ENOTCACHED|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|UNABLE_TO_\w+|SELF_SIGNED\w*)\b/.test(
      output,
    )
  ) {
    return 'npm cannot reach its registry. Check the network, the proxy (HTTPS_PROXY) and "npm config get registry", then try again.'
  }
  if (/\b(E401|E403|ENEEDAUTH)\b/.test(output)) return 'The registry refused npm. Check "npm config get registry" and its credentials.'
  if (/in sync|\bEUSAGE\b/.test(output))
    return 'package-lock.json does not match the package.json files. Run "npm install" and keep the changed lock file.'
  if (/\bENOSPC\b/.test(output)) return 'The disk is full. Free some space and try again.'
  if (/\b(EACCES|EPERM)\b/.test(output)) return 'npm may not write here. The user that runs this must own node_modules and the npm cache.'
  return 'Fix what npm names above and try again.'
}

function buildToolsAdvice(searchPath) {
  const missing = missingBuildTools(searchPath)
  if (missing.length === 0) return 'A native package did not build although a compiler is installed; see its output above.'
  return `A native package had to be compiled, and this machine lacks ${missing.join(', ')} (on Debian or Ubuntu: apt-get install build-essential python3).`
}
