import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CampaignOptions } from './index.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
/** Damaged answers, of all families together. */
const damagesInFull = 200

/**
 * Damages recordings of every provider at random, as gateways and broken connections do: framing,
 * content type, pieces, cuts, errors in the middle. @throws if words are lost, an answer is invented,
 * or an error has other words than the vendor's.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<{ readonly providers: number }> {
  const providers = readdirSync(path.join(root, 'plugins')).filter((name) => name.startsWith('provider-'))
  const damages = full ? Math.ceil(damagesInFull / providers.length) : 5
  for (const provider of providers) {
    const child = spawn(process.execPath, [mocha, '--timeout', '600000', 'dist/**/damaged-answers.recordings.soak.test.js'], {
      cwd: path.join(root, 'plugins', provider),
      env: { ...process.env, SEED: String(seed), DAMAGES: String(damages) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000)
    })
    const [status] = (await once(child, 'close')) as [number | null]
    if (status !== 0) throw new Error(`SEED=${seed}: ${provider} ended with ${status}\n${output.slice(-4_000)}`)
    print(`${provider}: ${damages} damaged answers`)
  }
  return { providers: providers.length }
}
