import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createControlledClock, createTestKernel } from '@agent-service/kernel/testing'
import { runCommand } from '../support/command.js'
import { fewPlugins } from '../support/few-plugins.js'
import { createRandom } from '../support/random.js'
import type { CampaignOptions } from './index.js'

const rotator = fileURLToPath(new URL('../programs/key-rotator.js', import.meta.url))
const killsOfFullForm = 100
const ninetyOneDaysMs = 91 * 86_400_000

/** The result of the campaign, which throws if something does not decrypt. */
export interface KeyChangesOutcome {
  readonly rotationKills: number
  readonly rekeyKills: number
}

/**
 * Kills the service with SIGKILL while it replaces its keys, and the command that changes the
 * encryption secret, and checks that everything opens.
 */
export async function run({ seed, seconds, full, print }: CampaignOptions): Promise<KeyChangesOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed).next
  const goOn = (startedAt: number) => (kills: number) =>
    kills < killsOfFullForm && (full || kills === 0 || Date.now() - startedAt < (seconds * 1000) / 2)
  const rotationKills = await killRotations(random, goOn(Date.now()))
  print(`${rotationKills} kills while keys were replaced: everything decrypts`)
  const rekeyKills = await killRekeys(random, goOn(Date.now()))
  print(`${rekeyKills} kills while the secret was changed: everything decrypts`)
  return { rotationKills, rekeyKills }
}

async function killRotations(random: () => number, goOn: (kills: number) => boolean): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-rotation-'))
  let kills = 0
  try {
    for (let now = Date.UTC(2026, 0, 1); goOn(kills); now += ninetyOneDaysMs) {
      const child = spawn(process.execPath, [rotator, JSON.stringify({ folder, now })], { stdio: ['ignore', 'pipe', 'inherit'] })
      const ended = once(child, 'close')
      for await (const text of child.stdout.setEncoding('utf8')) {
        if (String(text).includes('ready')) setTimeout(() => child.kill('SIGKILL'), random() * 60)
      }
      const [, signal] = (await ended) as [number | null, NodeJS.Signals | null]
      if (signal === 'SIGKILL') kills += 1
      // The start opens the key of access tokens and the one of refresh tokens, and fails when
      // either does not decrypt.
      const kernel = await createTestKernel({ folder, clock: createControlledClock({ now: now + 120_000 }), environment: fewPlugins() })
      await kernel.stop()
    }
    return kills
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function killRekeys(random: () => number, goOn: (kills: number) => boolean): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-rekey-'))
  const secrets = [0, 1].map((which) => `secret number ${which} for tests alone`)
  let current = 0
  let kills = 0
  const environment = (which: number) => ({ SERVICE_AUTH_ENCRYPTION_SECRET: secrets[which] ?? '' })
  const opensWith = async (which: number): Promise<boolean> => (await runCommand(folder, ['users', 'list'], environment(which)).ended) === 0
  try {
    const first = { ...environment(current), AGENT_SERVICE_PASSWORD: 'a long enough password' }
    if ((await runCommand(folder, ['users', 'create', 'ada'], first).ended) !== 0) throw new Error('The first account was not created.')
    while (goOn(kills)) {
      const command = runCommand(folder, ['rekey'], {
        ...environment(current),
        AGENT_SERVICE_NEW_ENCRYPTION_SECRET: secrets[1 - current] ?? '',
      })
      const timer = setTimeout(() => command.child.kill('SIGKILL'), 200 + random() * 900)
      if ((await command.ended) === null) kills += 1
      clearTimeout(timer)
      const opens = [await opensWith(0), await opensWith(1)]
      if (opens[0] === opens[1])
        throw new Error(`After kill ${kills} the database opens with ${opens[0] === true ? 'both secrets' : 'neither secret'}.`)
      current = opens[0] === true ? 0 : 1
    }
    return kills
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
