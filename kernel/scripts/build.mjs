/** `npm run build`: installs and compiles what changed. */
import { bootstrap } from './bootstrap.mjs'
import { runScript } from './lib/failure.mjs'

await runScript(async () => {
  await bootstrap()
  process.stdout.write('Built.\n')
})
