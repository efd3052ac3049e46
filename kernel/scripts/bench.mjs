/**
 * `npm run bench [-- <arguments>]`: prepares the clone, then runs the benches of `test/src/bench`.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { failure, runScript } from './lib/failure.mjs'
import { runService } from './lib/run-service.mjs'
import { repositoryRoot } from './lib/workspaces.mjs'

await runScript(async () => {
  await bootstrap()
  const main = path.join(repositoryRoot, 'test/dist/bench/main.js')
  if (!existsSync(main)) throw failure('test/src/bench/main.ts is missing, so there is nothing to measure')
  return runService(['--enable-source-maps', main, ...process.argv.slice(2)])
})
