import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CampaignOptions } from './index.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')

/**
 * Replays every recording of every provider at 200 random chunkings instead of the few of an
 * ordinary run. @throws if one has another result.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<{ readonly providers: number }> {
  const providers = readdirSync(path.join(root, 'plugins')).filter((name) => name.startsWith('provider-'))
  for (const provider of providers) {
    const child = spawn(process.execPath, [mocha, '--timeout', '600000', 'dist/**/*.recordings.test.js'], {
      cwd: path.join(root, 'plugins', provider),
      env: { ...process.env, SEED: String(seed), CHUNKINGS: full ? '200' : '20' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000)
    })
    const [status] = (await once(child, 'close')) as [number | null]
    const passed = /(\d+) passing/.exec(output)?.[1] ?? '0'
    print(`${provider}: ${passed} passed`)
    if (status !== 0) throw new Error(`SEED=${seed}: ${provider} ended with ${status}\n${output.slice(-4_000)}`)
  }
  return { providers: providers.length }
}
