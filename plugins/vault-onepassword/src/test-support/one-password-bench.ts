import type { Item, ItemField } from '@1password/sdk'
import { processTimers } from '@agent-service/sdk/async'
import type { VaultConnection, VaultField } from '@agent-service/sdk/contracts/vault-connector'
import type { VaultBench, VaultBenchItem } from '@agent-service/sdk/testing'
import { createOnePasswordConnector } from '../connector.js'
import { createFakeOnePassword, type FakeOnePassword, type FakeVault, idOfNumber, makeItem } from './fake-one-password.js'

/** A token of the form that 1Password gives out, with canaries for keys. */
export function tokenFor(name: string, signInAddress: unknown = 'my.1password.com'): string {
  const content = {
    signInAddress,
    email: `${name}@1passwordserviceaccounts.com`,
    muk: { k: `canary muk of ${name}` },
    secretKey: 'A3-canary',
  }
  return `ops_${Buffer.from(JSON.stringify(content)).toString('base64url')}`
}

/** The module of the SDK with the fake core. */
export const fakeSdk = new URL('./fake-sdk.js', import.meta.url).href

const office = idOfNumber(7)
const home = idOfNumber(3)
const foreign = idOfNumber(9)

const fieldsFor = (fields: readonly VaultField[]): ItemField[] =>
  fields.map(({ name, value, secret }) => ({
    ...{ id: name, title: name, value },
    fieldType: (secret ? 'Concealed' : 'Text') as ItemField['fieldType'],
  }))

const item = (title: string, group: string): VaultBenchItem => ({
  ...{ title, group },
  fields: [
    { name: 'username', value: `user of ${title}`, secret: false },
    { name: 'password', value: `canary of ${title}`, secret: true },
  ],
})

/**
 * A bench with two vaults for one token, of which its connection uses one, and a vault for another
 * token.
 */
export function openOnePasswordBench(): VaultBench & { readonly server: FakeOnePassword } {
  const server = createFakeOnePassword()
  const vaults = new Map<string, FakeVault>([
    [office, { title: 'Office', items: new Map() }],
    [home, { title: 'Home', items: new Map() }],
  ])
  const others = new Map<string, FakeVault>([[foreign, { title: 'Foreign', items: new Map() }]])
  const [token, otherToken] = [tokenFor('one'), tokenFor('two')]
  server.accounts.set(token, vaults).set(otherToken, others)
  let count = 100
  const put = (into: Map<string, FakeVault>, { title, group, fields }: VaultBenchItem): void => {
    count += 1
    const [vaultId, vault] = [...into].find(([, each]) => each.title === group) ?? [...into][0] ?? []
    if (vaultId !== undefined) vault?.items.set(idOfNumber(count), makeItem(idOfNumber(count), vaultId, title, fieldsFor(fields)))
  }
  const items = ['Printer', 'Router π', 'Door & Gate', 'Window'].map((title) => item(title, 'Office'))
  for (const each of [...items, item('Unseen', 'Home'), item('Unseen too', 'Home')]) put(vaults, each)
  put(others, item('Alarm', 'Foreign'))
  const found = (title: string): { readonly items: FakeVault['items']; readonly present: Item } => {
    for (const vault of vaults.values())
      for (const present of vault.items.values()) if (present.title === title) return { items: vault.items, present }
    throw new Error(`There is no item “${title}”.`)
  }
  const connectionOf = (id: string, service_account_token: string, more: object = {}): VaultConnection => ({
    ...{ id, origin: 'user', members: { service_account_token, ...more } },
  })
  const limits = {
    callMs: 20_000,
    get requestMs() {
      return server.fault === 'silent' ? 200 : 15_000
    },
    maxBodyBytes: 1_000_000,
  }
  const { connector, close } = createOnePasswordConnector({ http: server.http, clock: processTimers, limits, sdk: fakeSdk })
  return {
    ...{ server, connector, close },
    account: { connection: connectionOf('one', token, { vault_id: office }), items },
    other: { connection: connectionOf('two', otherToken), items: [item('Alarm', 'Foreign')] },
    wrong: { 'a token that was never given': connectionOf('wrong', tokenFor('three')) },
    invalid: {
      'no token': connectionOf('none', 'canary-of-another-form'),
      'a token without an address': connectionOf('bare', tokenFor('one', null)),
      'an address of another host': connectionOf('evil', tokenFor('one', 'my.1password.com.evil.example')),
      'an address with a user': connectionOf('at', tokenFor('one', 'my.1password.com@127.0.0.1')),
      'an address with a path': connectionOf('path', tokenFor('one', 'https://127.0.0.1/#.1password.com')),
      'an address without TLS': connectionOf('http', tokenFor('one', 'http://my.1password.com')),
      'a vault that it does not see': connectionOf('vault', token, { vault_id: foreign }),
    },
    inward: { connection: connectionOf('inward', tokenFor('one', '127.0.0.1:8443')), connections: () => server.requests.length },
    add: async (each) => put(vaults, each),
    async change(title, { title: next, fields }) {
      const { items: within, present } = found(title)
      within.set(present.id, { ...present, title: next, fields: fieldsFor(fields), version: present.version + 1 })
    },
    async remove(title) {
      const { items: within, present } = found(title)
      within.set(present.id, { ...present, state: 'archived' })
    },
    async break(fault) {
      server.fault = fault
    },
    async mend() {
      server.fault = undefined
    },
  }
}
