import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { isRoot } from './support/escape-bench.js'

const execute = promisify(execFile)
const own = fileURLToPath(new URL('.', import.meta.url))
const mocha = path.join(path.dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js')
const user = '54321'

interface Report {
  readonly stats: { readonly passes: number; readonly failures: number; readonly pending: number }
  readonly failures: readonly { readonly fullTitle: string; readonly err: { readonly message?: string } }[]
}

/**
 * Where the user can enter neither the home of root nor a checkout in it, both stand elsewhere for
 * this process and its children.
 */
const script = `set -e
mount --bind "$1" "$3/code"
mount --bind "$2" "$3/node"
exec setpriv --reuid ${user} --regid ${user} --clear-groups env -i HOME=/tmp TMPDIR=/tmp PATH=/usr/bin:/bin "$3/node/bin/node" "$3/code/$4" --reporter json --exit --timeout 60000 "$3/code/$5"`

if (isRoot)
  describe('escapes, with the service as an ordinary user', function () {
    this.timeout(180_000)

    it('are closed as they are for root', async () => {
      const folder = await mkdtemp('/var/tmp/agent-service-as-user-')
      try {
        await execute('/bin/sh', ['-c', 'chmod 755 "$1" && mkdir "$1/code" "$1/node"', 'sh', folder])
        const root = path.resolve(own, '../../../..')
        const node = path.dirname(path.dirname(process.execPath))
        const files = (await readdir(own)).filter((name) => /^(files|kernel|network|processes)(\.escapes)?\.test\.js$/.test(name))
        expect(files).to.have.length(4)
        const ran = files.map(async (file) => {
          const given = [root, node, folder, path.relative(root, mocha), path.relative(root, path.join(own, file))]
          const { stdout } = await execute('/usr/bin/unshare', ['--mount', '/bin/sh', '-c', script, 'sh', ...given], {
            maxBuffer: 10_000_000,
          }).catch((error: { stdout: string; stderr: string }) => {
            if (error.stdout === '') throw new Error(`It did not run: ${error.stderr}`)
            return error
          })
          return JSON.parse(stdout.slice(stdout.indexOf('{\n  "stats"'))) as Report
        })
        const reports = await Promise.all(ran)
        expect(reports.flatMap(({ failures }) => failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`))).to.deep.equal([])
        for (const { stats } of reports) expect([stats.pending, stats.passes > 1]).to.deep.equal([0, true])
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  })
