import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createTestKernel } from '@agent-service/kernel/testing'
import fc from 'fast-check'
import { confirm, signUp } from '../support/api.js'
import { createRandom } from '../support/random.js'
import type { CampaignOptions } from './index.js'
import { startAttacker } from './support/file-attacks/attacker.js'
import { type CallAnswer, callNames, createFileCalls, type FileCall, keptFolder } from './support/file-attacks/file-calls.js'
import { type AttackPlaces, attackKinds, names, type TreeAttack } from './support/file-attacks/tree-attack.js'

const execute = promisify(execFile)
const canary = 'the canary sings outside'
const workspace = 'assistant'
const atOnce = 8
/** Who attacks: as in a sandbox another one than the service, if it may be. */
const attackerUid = process.getuid?.() === 0 ? 712_345_678 : undefined

/** What a campaign has done. */
export interface FileAttacksOutcome {
  readonly attacks: number
  /** How often each call had which outcome. */
  readonly outcomes: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/**
 * Attacks the folder of a user's agent with links, hard links, pipes, sockets, devices, sparse files
 * and swaps, first step by step with the calls, then in a race, against every file route and file
 * tool. @throws if anything outside is read or written, or a call does not come back.
 */
export async function run({ seed, seconds, full, print }: CampaignOptions): Promise<FileAttacksOutcome> {
  print(`SEED=${seed}`)
  const kernel = await createTestKernel()
  const undo: (() => unknown)[] = [() => kernel.stop()]
  try {
    const bob = await signUp(kernel.url, 'bob')
    await signUp(kernel.url, 'ada')
    // For the export; it lasts for five minutes.
    await confirm(bob)
    const users = path.join(kernel.folder, 'data', 'users')
    const root = path.join(users, 'bob', 'workspaces', workspace)
    const { places, close } = await makePlaces(kernel.folder, root, path.join(users, 'ada', 'files'))
    undo.push(close)
    const before = await picture(places)
    const call = createFileCalls(kernel, bob, workspace)
    const outcomes: Record<string, Record<string, number>> = {}
    const judged = async (each: FileCall): Promise<void> => {
      const answer = await call(each).catch((error: unknown): CallAnswer => ({ outcome: describeError(error), text: '' }))
      const counts = outcomes[each.name] ?? {}
      outcomes[each.name] = { ...counts, [answer.outcome]: (counts[answer.outcome] ?? 0) + 1 }
      if (answer.text.includes(canary)) throw new Error(`${JSON.stringify(each)} read a file outside: ${answer.text.slice(0, 300)}`)
      if (/^(5\d\d|timeout|failed)/.test(answer.outcome))
        throw new Error(`${JSON.stringify(each)}: ${answer.outcome} ${answer.text.slice(0, 300)}`)
    }
    await workPlainly(places, call)
    await attackInSteps({ seed, runs: full ? 500 : 40, places, judged, before })
    print('step by step: nothing outside was read or written')
    const attacks = await attackInRace({ seed, calls: full ? seconds * 100 : 300, places, judged })
    await assertUnchanged(places, before)
    await confirm(bob)
    await workPlainly(places, call)
    print(`${attacks} attacks in a race: nothing outside was read or written`)
    for (const [name, counts] of Object.entries(outcomes)) print(`  ${name}: ${JSON.stringify(counts)}`)
    return { attacks, outcomes }
  } finally {
    for (const each of undo.reverse()) await each()
  }
}

const describeError = (error: unknown): string =>
  error instanceof Error
    ? `${/abort|timeout/i.test(`${error.name} ${error.message}`) ? 'timeout' : 'failed'} ${error.message}`
    : String(error)

type Picture = Readonly<Record<string, string>>

async function makePlaces(folder: string, root: string, other: string): Promise<{ places: AttackPlaces; close: () => Promise<void> }> {
  // On the same file system, so that hard links can be made at all.
  const beside = await mkdtemp(path.join(folder, 'outside-'))
  const [outside, special] = [path.join(beside, 'outside'), path.join(beside, 'special')]
  for (const each of [root, path.resolve(root, '../../files')]) await mkdir(each, { recursive: true })
  await mkdir(special)
  for (const each of [path.join(outside, 'inner'), path.join(other, 'inner')]) await mkdir(each, { recursive: true })
  for (const each of [outside, path.join(outside, 'inner'), other, path.join(other, 'inner')]) {
    await writeFile(path.join(each, 'secret'), canary)
    await chmod(path.join(each, 'secret'), 0o666)
  }
  await execute('mkfifo', [path.join(special, 'pipe')])
  const server = createServer((socket) => socket.destroy()).listen(path.join(special, 'socket'))
  await once(server, 'listening')
  if (process.getuid?.() === 0)
    for (const [name, minor] of [
      ['zero', '5'],
      ['full', '7'],
      ['tty', '0'],
    ] as const)
      await execute('mknod', [path.join(special, name), 'c', name === 'tty' ? '5' : '1', minor])
  const stash = (await readdir(special)).map((name) => path.join(special, name))
  if (attackerUid !== undefined) for (const each of stash) await chown(each, attackerUid, attackerUid)
  const folders = [outside, path.join(outside, 'inner'), other, path.join(other, 'inner')]
  // Nothing is made or removed there by the attacker itself.
  for (const each of folders) await chmod(each, 0o555)
  return {
    places: { root, outside, other, special: stash, isApart: attackerUid !== undefined },
    async close() {
      server.close()
      for (const each of folders) await chmod(each, 0o755)
      await rm(beside, { recursive: true, force: true })
    },
  }
}

/** Everything that a write outside would change. */
async function picture({ outside, other, root }: AttackPlaces): Promise<Picture> {
  const found: Record<string, string> = {}
  for (const top of [outside, other])
    for (const name of await readdir(top, { recursive: true })) {
      const info = await stat(path.join(top, name))
      found[path.join(top, name)] = info.isFile()
        ? `${info.mode} ${info.mtimeMs} ${await readFile(path.join(top, name), 'utf8')}`
        : `${info.mode} folder`
    }
  for (const place of [path.resolve(root, '../..'), path.resolve(root, '../../..'), path.resolve(root, '../../../..')])
    found[place] = (await readdir(place))
      .filter((name) => !name.startsWith('.'))
      .sort()
      .join(' ')
  return found
}

async function assertUnchanged(places: AttackPlaces, before: Picture): Promise<void> {
  const now = await picture(places)
  for (const place of new Set([...Object.keys(before), ...Object.keys(now)]))
    if (before[place] !== now[place]) throw new Error(`${place} changed: ${before[place]} is now ${now[place]}`)
}

interface Attempt {
  readonly seed: number
  readonly places: AttackPlaces
  readonly judged: (call: FileCall) => Promise<void>
}

/** Each call in a state in which it succeeds: one that is always refused would find nothing. */
const plainCalls: readonly (readonly [name: FileCall['name'], at: (typeof names)[number], to?: (typeof names)[number]])[] = [
  ...([
    ['PUT content', 'a'],
    ['GET content', 'a'],
    ['HEAD content', 'a'],
    ['GET range', 'a'],
    ['GET presigned', 'a'],
    ['GET usage', 'a'],
  ] as const),
  ...([
    ['read_file', 'a'],
    ['edit_file', 'a'],
    ['search_files', 'a'],
    ['list_files', 'a'],
    ['write_file', 'b/c'],
    ['GET list', 'b'],
  ] as const),
  ...([
    ['GET search', 'b', 'a'],
    ['GET checksum', 'a'],
    ['tus upload', 'a'],
    ['move_file', 'a', 'link'],
    ['POST copy', 'link', 'a'],
    ['delete_file', 'b', 'a'],
    ['POST move', 'a', 'b/c'],
    ['DELETE content', 'link'],
    ['delete_file', 'b', 'a'],
    ['POST folders', 'b'],
  ] as const),
  ...([
    ['PUT content', 'a'],
    ['POST presign', 'a'],
    ['HEAD presigned', 'a'],
    ['GET earlier presigned', 'a'],
    ['DELETE presigned', 'a'],
    ['POST copy out', 'a', 'link'],
    ['GET content out', 'a', 'link'],
    ['POST copy back', 'b/c', 'link'],
    ['POST bin', 'a', 'link'],
    ['GET bin', 'a'],
    ['POST restore', 'a'],
    ['POST bin', 'a', 'link'],
    ['DELETE binned', 'a'],
    ['POST copy out', 'a', 'b/c'],
    ['POST bin', 'a', 'b'],
    ['DELETE bin', 'a'],
    ['tus begin', 'a'],
    ['tus end', 'a'],
    ['POST export', 'a'],
  ] as const),
]

/** Without attacks everything works, before them and afterwards. */
async function workPlainly(places: AttackPlaces, call: (call: FileCall) => Promise<CallAnswer>): Promise<void> {
  await resetRoot(places)
  for (const [name, at, to = 'a'] of plainCalls) {
    const each = { name, at: names.indexOf(at), to: names.indexOf(to) }
    let answer = await call(each)
    // An export too many for this minute, or one whose reader has just left.
    for (let attempt = 0; answer.outcome === '429' && attempt < 120; attempt += 1) {
      await delay(500)
      answer = await call(each)
    }
    const { outcome, text } = answer
    if (!/^(2\d\d|done)$/.test(outcome)) throw new Error(`${name} of ${at} without an attack: ${outcome} ${text.slice(0, 300)}`)
    if (name === 'POST export' && !text.includes(`workspaces/${workspace}/`)) throw new Error('What is read of an export has no file.')
  }
  const missing = callNames.filter((name) => !plainCalls.some(([each]) => each === name))
  if (missing.length > 0) throw new Error(`${missing.join(', ')} is not tried without an attack`)
}

const keptIn = ({ root }: AttackPlaces): string => path.resolve(root, '../../files', keptFolder)

/** Makes the attacked folders anew, the attacker's, and empties the bin. */
async function resetRoot(places: AttackPlaces): Promise<void> {
  await rm(path.resolve(keptIn(places), '../.bin'), { recursive: true, force: true })
  for (const folder of [places.root, keptIn(places)]) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    if (attackerUid !== undefined) await chown(folder, attackerUid, attackerUid)
  }
}

/** An attacker of each folder. */
const startAttackers = (places: AttackPlaces) =>
  Promise.all([places.root, keptIn(places)].map((root) => startAttacker({ ...places, root }, attackerUid)))

async function attackInSteps({
  seed,
  runs,
  places,
  judged,
  before,
}: Attempt & { readonly runs: number; readonly before: Picture }): Promise<void> {
  const index = fc.nat({ max: 99 })
  const at = fc.nat({ max: names.length - 1 })
  const step = fc.oneof(
    fc
      .record({ kind: fc.constantFrom(...attackKinds), at, to: index, tree: fc.nat({ max: 1 }) })
      .map(({ tree, ...each }) => ({ attack: each as TreeAttack, tree })),
    fc.record({ name: fc.constantFrom(...callNames), at, to: index }).map((call) => ({ call })),
  )
  const attackers = await startAttackers(places)
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        await resetRoot(places)
        for (const each of steps) await ('attack' in each ? attackers[each.tree]?.step(each.attack) : judged(each.call))
        await assertUnchanged(places, before)
      }),
      { seed, numRuns: runs },
    )
  } finally {
    for (const attacker of attackers) await attacker.stop()
  }
}

async function attackInRace({ seed, calls, places, judged }: Attempt & { readonly calls: number }): Promise<number> {
  await resetRoot(places)
  const attackers = await startAttackers(places)
  for (const [number, attacker] of attackers.entries()) await attacker.race(seed + number)
  const random = createRandom(seed)
  let begun = 0
  const work = async (): Promise<void> => {
    for (; begun < calls; begun += 1)
      await judged({ name: random.pick(callNames), at: random.between(0, names.length - 1), to: random.between(0, 99) })
  }
  const worked = await Promise.allSettled(Array.from({ length: atOnce }, work))
  const counts = await Promise.all(attackers.map((attacker) => attacker.stop()))
  for (const result of worked) if (result.status === 'rejected') throw result.reason
  return counts.reduce((sum, each) => sum + each, 0)
}
