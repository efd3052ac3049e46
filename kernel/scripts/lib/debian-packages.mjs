import { existsSync } from 'node:fs'
import path from 'node:path'
import { runCommand } from './child-process.mjs'
import { failure } from './failure.mjs'
import { findCommand } from './prerequisites.mjs'
import { readJson } from './workspaces.mjs'

/**
 * Ensures that the Debian packages of `test/debian-packages.json` are installed. Installs missing
 * ones only as root or with a `sudo` that needs no password, and reports it; otherwise fails and
 * names the packages. Removes none: another mail server stays where it is. An entry is a name, which is the command's too, or a name with a command or an
 * absolute path by which another system has the same. `or` names a command that does where the
 * package cannot be installed.
 */
export async function requireDebianPackages(root, { stream = process.stderr, isRoot = process.getuid?.() === 0 } = {}) {
  const file = path.join(root, 'test', 'debian-packages.json')
  if (!existsSync(file)) return
  const entries = readJson(file)
  const isReplaced = (name) => entries.some((entry) => entry.name === name && entry.or !== undefined && findCommand(entry.or) !== undefined)
  const missing = await findMissing(entries)
  if (missing.length === 0) return
  const names = missing.join(' ')
  const prefix = isRoot ? [] : ['sudo', '--non-interactive']
  if (findCommand('apt-get') === undefined || !(isRoot || (await canUseSudo()))) {
    if (missing.every(isReplaced)) return
    throw failure(`the tests need operating system packages that are missing: ${names}`, {
      mend: `Install them and try again, on Debian or Ubuntu with: sudo apt-get install ${names}`,
    })
  }
  stream.write(`Installing the Debian packages that the tests need: ${names}\n`)
  const install = [...prefix, 'apt-get', 'install', '--yes', '--no-install-recommends', '--no-remove', ...missing]
  let result = await runApt(install)
  if (result.code !== 0) {
    await runApt([...prefix, 'apt-get', 'update'])
    result = await runApt(install)
  }
  const stillMissing = (await findMissing(missing)).filter((name) => !isReplaced(name))
  if (stillMissing.length > 0) {
    throw failure(`apt-get could not install: ${stillMissing.join(' ')}`, {
      output: result.output,
      mend: 'Install them by hand and try again.',
    })
  }
}

async function findMissing(packages) {
  const missing = []
  for (const entry of packages) {
    const { name, has = name } = typeof entry === 'string' ? { name: entry } : entry
    const found = path.isAbsolute(has) ? existsSync(has) : findCommand(has) !== undefined
    if (!found && !(await isInstalled(name))) missing.push(name)
  }
  return missing
}

async function isInstalled(name) {
  if (findCommand('dpkg-query') === undefined) return false
  const result = await runCommand('dpkg-query', ['--show', '--showformat', '${db:Status-Status}', name])
  return result.code === 0 && result.output.trim() === 'installed'
}

async function canUseSudo() {
  return findCommand('sudo') !== undefined && (await runCommand('sudo', ['--non-interactive', 'true'])).code === 0
}

function runApt([command, ...args]) {
  return runCommand(command, args, { env: { DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: 10 * 60_000, isUnbroken: true })
}
