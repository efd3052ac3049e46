import { type CliCommand, defineCommand, objectOf, textOf } from '@agent-service/sdk/contracts/cli-command'

const commandFor = (what: 'test' | 'sync', summary: string): CliCommand =>
  defineCommand({
    name: `vaults ${what}`,
    summary,
    arguments: [{ name: 'vault', description: 'the connection, by the ID that “vaults list” shows', required: true }],
    async run({ arguments: [id = ''], request, print, warn }) {
      const vault = objectOf(await request('POST', `/api/vaults/${encodeURIComponent(id)}/${what}`))
      if (vault['state'] !== 'ready') {
        await warn(`${textOf(vault['title'])} does not work: ${textOf(vault['reason'])}`, { style: 'red' })
        return { status: 1, json: vault }
      }
      const account = textOf(vault['account']) === '' ? '' : ` for ${textOf(vault['account'])}`
      const more = vault['items_complete'] === false ? ', and it has more' : ''
      await print(`${textOf(vault['title'])} works${account}: ${String(vault['items'])} items${more}.`)
      return { status: 0, json: vault }
    },
  })

/** Asks a vault whether its connection works. */
export const testVaultCommand = commandFor('test', 'ask a vault whether its connection works')
/** Lists the items of a vault anew. */
export const syncVaultCommand = commandFor('sync', 'list the items of a vault anew')
