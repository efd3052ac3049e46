import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

const compiled = (file: string): string => JSON.stringify(new URL(`../../../../../${file}`, import.meta.url).href)
const sdk = (entry: string): string => JSON.stringify(import.meta.resolve(`@agent-service/sdk${entry}`))

/** Where the vendors are that a campaign plays. */
export interface VendorPlaces {
  readonly telegram: string
  readonly slack: string
  readonly discord: string
}

/** A plugin with the example's channel, and with those of the product that lead to vendors on this machine. */
export async function writeVendorsPlugin(folder: string, { telegram, slack, discord }: VendorPlaces): Promise<string> {
  const manifest = {
    ...{ id: 'channel-vendors', version: '1.0.0', apiVersion: 1, description: 'Channels to vendors of a test.' },
    ...{ contributes: ['channel'], entry: './index.js' },
  }
  const { id, version } = manifest
  const { host } = new URL(discord)
  await mkdir(folder)
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: id, version, type: 'module', agentService: { plugin: './plugin.json' } }),
  )
  await writeFile(path.join(folder, 'plugin.json'), JSON.stringify(manifest))
  await writeFile(
    path.join(folder, 'index.js'),
    `import { definePlugin } from ${sdk('')}
import { channels } from ${sdk('/contracts/channel')}
import { clockService } from ${sdk('/services/clock')}
import { createLinesChannel } from ${compiled('examples/channel-lines/dist/channel.js')}
import { createDiscordChannel } from ${compiled('plugins/channel-discord/dist/channel.js')}
import { createSlackChannel } from ${compiled('plugins/channel-slack/dist/channel.js')}
import { createTelegramChannel } from ${compiled('plugins/channel-telegram/dist/channel.js')}
const { entry, version, ...manifest } = ${JSON.stringify(manifest)}
export default definePlugin({
  manifest,
  setup(context) {
    context.contribute(channels, createLinesChannel())
    context.contribute(channels, createTelegramChannel({ root: ${JSON.stringify(telegram)}, clock: context.use(clockService), log: context.log }))
    context.contribute(channels, createSlackChannel({ baseUrl: ${JSON.stringify(slack)} }))
    context.contribute(channels, createDiscordChannel({ baseUrl: ${JSON.stringify(discord)}, gatewayHost: ${JSON.stringify(host)}, fileHost: ${JSON.stringify(host)} }))
  },
})
`,
  )
  return folder
}
