import type { JsonObject } from '@agent-service/sdk'
import { type CommandContext, defineCommand, listAll, textOf } from '@agent-service/sdk/contracts/cli-command'
import { claimCode } from './claim-code.js'
import { connectionPath, connectionsPath } from './words.js'

/** Shows who asks to be let in, or lets in who was shown a code. */
export const pairChannelCommand = defineCommand({
  name: 'channels pair',
  summary: 'list the people who ask to be let in, or let in the one with a code',
  arguments: [{ name: 'code', description: 'the code that the channel has shown; without it the requests are listed', required: false }],
  options: [
    { name: 'owner', description: 'it is you: you may also approve in the channel what agents ask' },
    { name: 'deny', description: 'refuse the person instead' },
    { name: 'claim', description: 'the code is from a channel that administrators share: shows whose it is, and asks whether that is you' },
  ],
  async run(context) {
    const {
      arguments: [given],
      options,
      request,
      print,
      table,
      warn,
    } = context
    if (options['owner'] === true && options['deny'] === true) {
      await warn('Name --owner or --deny, not both.', { style: 'red' })
      return { status: 1 }
    }
    const code = given?.trim().toUpperCase()
    if (options['claim'] === true) return claimCode(code, context)
    const pairings = await allPairings(request)
    if (code === undefined) {
      if (pairings.length === 0) await print('No one asks to be let in.')
      else await table([['CODE', 'NAME', 'PERSON', 'CONNECTION'], ...pairings.map(rowOf)], { whole: ['CODE'] })
      return { status: 0, json: { items: pairings.map(({ pairing }) => pairing) } }
    }
    const found = pairings.find(({ pairing }) => pairing['code'] === code)
    if (!found) {
      await warn(`No one who asks to be let in has the code ${code}. “channels pair” lists the requests.`, { style: 'red' })
      return { status: 1 }
    }
    const what = options['deny'] === true ? 'deny' : 'approve'
    const at = connectionPath(textOf(found.connection['id']), `/pairings/${encodeURIComponent(textOf(found.pairing['id']))}/${what}`)
    const json = await request('POST', at, ...(what === 'approve' ? [{ role: options['owner'] === true ? 'owner' : 'guest' }] : []))
    const who = textOf(found.pairing['name']) || textOf(found.pairing['sender_id'])
    await print(what === 'deny' ? `${who} was refused.` : `${who} may write to your agent over ${textOf(found.connection['title'])}.`)
    return { status: 0, json }
  },
})

interface Asked {
  readonly connection: JsonObject
  readonly pairing: JsonObject
}

async function allPairings(request: CommandContext['request']): Promise<readonly Asked[]> {
  const asked: Asked[] = []
  for (const connection of (await listAll(request, connectionsPath)).items)
    for (const pairing of (await listAll(request, connectionPath(textOf(connection['id']), '/pairings'))).items)
      asked.push({ connection, pairing })
  return asked
}

const rowOf = ({ connection, pairing }: Asked): readonly string[] => [
  ...[textOf(pairing['code']), textOf(pairing['name']), textOf(pairing['sender_id']), textOf(connection['title'])],
]
