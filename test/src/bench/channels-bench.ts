import type { ChildProcess } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startDiscordVendor } from '../campaigns/support/channels/discord-vendor.js'
import { startLinesVendor } from '../campaigns/support/channels/lines-vendor.js'
import { startSlackVendor } from '../campaigns/support/channels/slack-vendor.js'
import { writeVendorsPlugin } from '../campaigns/support/channels/vendors-plugin.js'
import { startWebhookVendor } from '../campaigns/support/channels/webhook-vendor.js'
import { signUp } from '../support/api.js'
import { removeFolder } from '../support/service-process.js'
import { measureDelays } from './channel-delays.js'
import { type Figure, median } from './figures.js'
import { startIdleTelegram } from './idle-telegram.js'
import { costOfTree, processorMsOf } from './process-tree.js'
import { startService } from './service-child.js'

const idle = 50
const settleMs = 15_000
const idleMs = 60_000

/**
 * What a message pays for coming over a channel instead of a chat, and what 50 idle connections
 * cost: of webhooks, lines, Telegram, Slack and Discord, ten each.
 */
export async function benchChannels(print: (line: string) => void): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-'))
  try {
    const { channel, chat } = await measureDelays(path.join(folder, 'delays'))
    print(`  ${channel.length} messages over a webhook, and as many over HTTP, in turns; then ${idleMs / 1_000} s of two idle services.`)
    const beside = (value: number) => ({ name: 'posted over HTTP', value })
    const [with50, without] = await measureIdle(folder)
    return [
      {
        ...{ what: 'message to first model call, p50', ours: median(channel), unit: 'ms', baseline: beside(median(chat)) },
        aim: { text: 'at most twice as long', met: median(channel) <= 2 * median(chat) },
      },
      { what: 'message to first model call, p99', ours: p99(channel), unit: 'ms', baseline: beside(p99(chat)) },
      {
        ...{ what: `memory with ${idle} idle connections`, ours: with50.residentMb, unit: 'MB' },
        baseline: { name: 'without', value: without.residentMb },
        aim: { text: 'at most 25 MB more', met: with50.residentMb - without.residentMb <= 25 },
      },
      {
        ...{ what: `processor with ${idle} idle connections`, ours: with50.cpuMsPerSecond, unit: 'ms/s' },
        baseline: { name: 'without', value: without.cpuMsPerSecond },
        aim: { text: 'at most 10 ms/s more', met: with50.cpuMsPerSecond - without.cpuMsPerSecond <= 10 },
      },
    ]
  } finally {
    await removeFolder(folder)
  }
}

function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
}

interface IdleCost {
  readonly residentMb: number
  readonly cpuMsPerSecond: number
}

/** Two services side by side, the first of which has the connections; what they use in a minute. */
async function measureIdle(folder: string): Promise<readonly [IdleCost, IdleCost]> {
  const telegram = await startIdleTelegram()
  const [webhook, lines] = [await startWebhookVendor(), await startLinesVendor()]
  const [slack, discord] = [await startSlackVendor(), await startDiscordVendor()]
  const places = { telegram: telegram.root, slack: slack.baseUrl, discord: discord.address }
  const plugin = await writeVendorsPlugin(path.join(folder, 'vendors'), places)
  const environment = {
    SERVICE_PLUGINS_SOURCES: JSON.stringify([plugin]),
    SERVICE_PLUGINS_DISABLED: JSON.stringify(['channel-discord', 'channel-slack', 'channel-telegram']),
  }
  const start = (name: string) => startService({ folder: path.join(folder, name), upstream: 'http://127.0.0.1:9/v1', environment })
  const [busy, quiet] = [await start('with'), await start('without')]
  try {
    const admin = await signUp(busy.url, 'ada')
    await signUp(quiet.url, 'ada')
    const at = '/api/admin/channels/connections'
    for (let number = 0; number < idle; number += 1) {
      const token = `${number + 1}:a-token-of-an-idle-bot`
      const vendor = [webhook, lines, slack, discord][number % 5]
      const { kind: channel, members } = vendor ?? { kind: 'telegram', members: { token } }
      const { status, body } = await admin.request('POST', at, { channel, title: `Connection ${number}`, members })
      if (status !== 201) throw new Error(`A connection was answered with ${status}: ${JSON.stringify(body)}`)
    }
    const connected = async (): Promise<number> =>
      ((await admin.request('GET', `${at}?limit=100`)).body['items'] as readonly { readonly state: string }[]).filter(
        ({ state }) => state === 'connected',
      ).length
    for (const since = Date.now(); (await connected()) < idle; await delay(250))
      if (Date.now() - since > 60_000) throw new Error(`Only ${await connected()} of ${idle} are connected.`)
    await delay(settleMs)
    const costs = [await idleCostOf(busy.process), await idleCostOf(quiet.process)] as const
    await delay(idleMs)
    if ((await connected()) < idle) throw new Error('Not all connections have lasted.')
    return [await costs[0](), await costs[1]()]
  } finally {
    await Promise.all([busy.stop(), quiet.stop()])
    await Promise.all([webhook, lines, slack, discord, telegram].map((each) => each.close()))
  }
}

/** Begins to measure; what it gives says what was used since. */
async function idleCostOf(process: ChildProcess): Promise<() => Promise<IdleCost>> {
  const [since, before] = [performance.now(), await processorMsOf(process)]
  return async () => {
    const [{ residentMb }, after] = [await costOfTree(process), await processorMsOf(process)]
    return { residentMb, cpuMsPerSecond: (after - before) / ((performance.now() - since) / 1_000) }
  }
}
