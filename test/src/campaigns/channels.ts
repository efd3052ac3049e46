import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { claimCode } from '../channels/support/claim-code.js'
import { type Api, clientWith, signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { fewPlugins } from '../support/few-plugins.js'
import { createRandom, type Random } from '../support/random.js'
import { startTalkingUpstream, type TalkRequest } from '../support/talking-upstream.js'
import type { CampaignOptions } from './index.js'
import { type Counts, compare, sumOf } from './support/channels/compare.js'
import { answersOf } from './support/channels/deliveries.js'
import { startDiscordVendor } from './support/channels/discord-vendor.js'
import { startLinesVendor } from './support/channels/lines-vendor.js'
import { answerTo, mayWrite, newPerson, type Person, receive, write, writeAgain } from './support/channels/people.js'
import { startSlackVendor } from './support/channels/slack-vendor.js'
import { startTelegramVendor } from './support/channels/telegram-vendor.js'
import type { Vendor } from './support/channels/vendor.js'
import { writeVendorsPlugin } from './support/channels/vendors-plugin.js'
import { startWebhookVendor } from './support/channels/webhook-vendor.js'
import { type ServiceLife, startLife } from './support/service-life.js'

/** What the campaign saw. */
export interface ChannelsOutcome extends Counts {
  readonly kills: number
}

const full = { messages: 10_000, kills: 50, people: 16, faults: 0.02, duplicates: 0.05 }
/** A shorter form by its time. */
const short = (seconds: number) => ({
  ...{ messages: seconds * 2, kills: Math.max(2, Math.floor(seconds / 5)), people: 1, faults: 0.15, duplicates: 0.3 },
})
/** How long everything may take to be answered once nothing is killed any more. */
const settleMs = 180_000
/** How long an answer may take before the deliveries are looked at. */
const patienceMs = 1_500
const faultMs = 400

/** The connections with their people, and how they reach the service. */
interface Town {
  readonly vendors: readonly Vendor[]
  readonly people: readonly Person[]
  readonly connections: ReadonlyMap<Vendor, string>
  /** The vendors that have a fault now, with its end. */
  readonly faults: Map<Vendor, number>
  admin: Api
}

/**
 * Kills the service with SIGKILL while people write over five channels, whose vendors lose answers, fail,
 * ask to wait, and deliver messages twice and in another order. Each message is answered once: never twice,
 * and missing only where the vendor has no keys and the delivery says that its outcome is not known.
 * @throws with all violations.
 */
export async function run({ seed, seconds, full: isFull, print }: CampaignOptions): Promise<ChannelsOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed)
  const aims = isFull ? full : short(seconds)
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-channels-'))
  const upstream = await startTalkingUpstream((request) => ({ text: `Re: ${lastOf(request)}` }))
  await writeConfiguration(folder, upstream.url)
  const [telegram, slack, discord] = [await startTelegramVendor(), await startSlackVendor(), await startDiscordVendor()]
  const vendors: readonly Vendor[] = [await startWebhookVendor(), await startLinesVendor(), telegram, slack, discord]
  const places = { telegram: telegram.root, slack: slack.baseUrl, discord: discord.address }
  const plugin = await writeVendorsPlugin(path.join(folder, 'plugin'), places)
  const environment = {
    ...fewPlugins('channel-webhook', 'feature-channels', 'feature-share', 'feature-notifications'),
    SERVICE_PLUGINS_SOURCES: JSON.stringify([plugin]),
    SERVICE_CHANNEL_RETRY__INITIAL_BACKOFF_MS: '50',
    SERVICE_CHANNEL_RETRY__MAX_BACKOFF_MS: '500',
  }
  let life: ServiceLife | undefined
  const begin = async (): Promise<string> => {
    life = startLife({ folder, environment })
    const url = await life.ready
    if (url === undefined) throw new Error(`The service does not start:\n${life.log.join('\n')}`)
    return url
  }
  try {
    const url = await begin()
    const admin = await signUp(url, 'ada')
    const people = vendors.flatMap((vendor) => Array.from({ length: aims.people }, (_, number) => newPerson(vendor, number)))
    const town: Town = { vendors, people, admin, connections: await connect(admin, vendors), faults: new Map() }
    await pairAll(town, url)
    print(`${people.length} people are paired over ${vendors.map(({ kind }) => kind).join(', ')}`)
    const total = () => people.reduce((sum, { written }) => sum + written, 0)
    let kills = 0
    while (total() < aims.messages + people.length || kills < aims.kills) {
      // Most lives are long enough for an answer: a run that begins just before each kill would be given up.
      const before = total()
      const patience = Date.now() + (random.next() < 0.7 ? 15_000 : 0)
      const lastsMs = random.between(100, isFull ? 20_000 : 1_000)
      let lasts = Date.now() + lastsMs
      while (Date.now() < lasts) {
        if (total() === before && Date.now() < patience) lasts = Date.now() + lastsMs
        await step(town, { random, aims, hasRoom: () => total() < aims.messages + people.length })
        await setTimeout(random.between(1, 40))
      }
      if (kills >= aims.kills) continue
      await life?.kill()
      kills += 1
      if (kills % 10 === 0) print(`${kills} kills, ${total()} messages`)
      town.admin = clientWith(await begin(), town.admin)
      await reach(town)
    }
    print(`${kills} kills, ${total()} messages`)
    for (const vendor of vendors) vendor.suffer(undefined)
    await until(town, 'an answer to each message', () => people.every(({ isWaiting }) => !isWaiting))
    return { kills, ...(await judge(town, print)) }
  } catch (error) {
    // One that ends by itself says why at its end.
    await Promise.race([life?.ended, setTimeout(5_000)])
    print(life?.log.slice(-20).join('\n') ?? '')
    throw error
  } finally {
    await life?.kill()
    await Promise.all(vendors.map((vendor) => vendor.close()))
    await upstream.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Who has an answer writes again; at some messages the vendor begins to have a fault. */
async function step(
  town: Town,
  { random, aims, hasRoom }: { readonly random: Random; readonly aims: typeof full; readonly hasRoom: () => boolean },
): Promise<void> {
  await look(town)
  for (const [vendor, until] of town.faults) {
    if (until > Date.now()) continue
    vendor.suffer(undefined)
    town.faults.delete(vendor)
  }
  for (const person of town.people) {
    if (!hasRoom() || !mayWrite(person, Date.now())) continue
    if (random.next() < aims.faults) {
      person.vendor.suffer(random.pick(['losing', 'losing', 'failing', 'throttled'] as const))
      town.faults.set(person.vendor, Date.now() + faultMs)
    }
    write(person, Date.now())
    if (random.next() < aims.duplicates) writeAgain(person, random.between(0, 2))
  }
}

/** Takes what came, and finds out which answers may not have come. */
async function look(town: Town): Promise<void> {
  for (const vendor of town.vendors) {
    const people = town.people.filter((person) => person.vendor === vendor)
    for (const received of vendor.take()) {
      const person = people[received.person]
      if (person === undefined) throw new Error(`The vendor ${vendor.kind} got a message for an unknown person: ${received.text}`)
      receive(person, received)
    }
    const isLate = ({ isWaiting, writtenAt }: Person): boolean => isWaiting && Date.now() - writtenAt > patienceMs
    if (vendor.hasKeys || !people.some(isLate)) continue
    const unknown = (await answersOf(town.admin, town.connections.get(vendor) ?? '', 'one')).filter(({ state }) => state === 'unknown')
    for (const person of people.filter(isLate)) {
      const { conversation, writtenAt } = person
      if (unknown.some((each) => each.conversation_id === conversation && Date.parse(each.created_at) >= writtenAt))
        person.isWaiting = false
    }
  }
}

function lastOf({ messages }: TalkRequest): string {
  const content = messages.filter(({ role }) => role === 'user').at(-1)?.content
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return /message \d+/.exec(text)?.[0] ?? 'nothing'
}

/** Connections of administrators, which may lead to this machine. */
async function connect(admin: Api, vendors: readonly Vendor[]): Promise<ReadonlyMap<Vendor, string>> {
  const ids = new Map<Vendor, string>()
  for (const vendor of vendors) {
    const { kind: channel, members } = vendor
    const { status, body } = await admin.request('POST', '/api/admin/channels/connections', { channel, title: `To ${channel}`, members })
    if (status !== 201) throw new Error(`A connection could not be made: ${JSON.stringify(body)}`)
    ids.set(vendor, String(body['id']))
  }
  return ids
}

/** Tells the vendors where the service is now. */
async function reach({ admin, vendors, connections }: Town): Promise<void> {
  for (const vendor of vendors) {
    const { body } = await admin.request('GET', `/api/admin/channels/connections/${connections.get(vendor) ?? ''}`)
    const address = body['webhook_url']
    if (typeof address === 'string') vendor.reach(`${admin.url}${new URL(address).pathname}`)
  }
}

/** Each person gets a code, and enters it; what they wrote is answered then. The people of a vendor share an account. */
async function pairAll(town: Town, url: string): Promise<void> {
  await until(town, 'a connection to each vendor', async () => {
    const { body } = await town.admin.request('GET', '/api/admin/channels/connections')
    return (body['items'] as readonly { readonly state: string }[]).every(({ state }) => state === 'connected')
  })
  await reach(town)
  for (const person of town.people) write(person, Date.now())
  await until(town, 'a code for each person', () => town.people.every(({ code }) => code !== undefined))
  for (const vendor of town.vendors) {
    const owner = await signUp(url, `owner-of-${vendor.kind}`)
    for (const { code } of town.people.filter((person) => person.vendor === vendor)) await claimCode(owner, code)
  }
  await until(town, 'an answer to the first message of each', () => town.people.every(({ answers }) => answers.includes(answerTo(0))))
}

async function until(town: Town, what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const since = Date.now(); ; await setTimeout(50)) {
    await look(town)
    if (await isTrue()) return
    if (Date.now() - since < settleMs) continue
    const waiting = town.people
      .filter(({ isWaiting }) => isWaiting)
      .map(({ vendor, number, written }) => `${vendor.kind} ${number}: ${written}`)
    throw new Error(`There is still not ${what}: ${waiting.join(', ')}`)
  }
}

async function judge(town: Town, print: (line: string) => void): Promise<Counts> {
  const all: Counts[] = []
  const problems: string[] = []
  for (const vendor of town.vendors) {
    const deliveries = await answersOf(town.admin, town.connections.get(vendor) ?? '', 'all')
    const people = town.people.filter((person) => person.vendor === vendor)
    const compared = people.map((person) =>
      compare(
        person,
        deliveries.filter(({ conversation_id: id }) => id === person.conversation),
      ),
    )
    const { messages, failed, unknown, missing, repeated } = sumOf(compared)
    print(
      `${vendor.kind}: ${messages} messages, ${failed} of whose runs failed; ${unknown} answers unknown, ${missing} of them missing, ${repeated} repeated under their key`,
    )
    all.push(...compared)
    problems.push(...compared.flatMap((each) => each.problems))
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return sumOf(all)
}
