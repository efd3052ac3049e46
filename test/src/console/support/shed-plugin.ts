import { definePlugin, type Plugin, Type } from '@agent-service/sdk'
import {
  defineVaultConnector,
  vaultConnectors,
  vaultItemNotFoundError,
  vaultUnauthorizedError,
} from '@agent-service/sdk/contracts/vault-connector'

/** The one password that opens a shed. */
export const shedPassword = 'the key under the mat'
/** The secret of every item. */
export const shedSecret = 'a shed secret of its own'

const items = ['Shop', 'Printer', 'Garden gate'].map((title, index) => ({
  ...{ id: `item-${index + 1}`, title, group: index === 0 ? 'Work' : 'Home' },
  fields: ['username', 'password'],
}))

/** A kind of vault with three items, which opens with one password. */
const plugin: Plugin = definePlugin({
  manifest: { id: 'vault-shed', apiVersion: 1, description: 'A vault for tests.', contributes: ['vault.connector'] },
  setup(context) {
    const open = (password: unknown): void => {
      if (password !== shedPassword) throw vaultUnauthorizedError.create({ vault: 'The shed', reason: 'wrong' })
    }
    context.contribute(
      vaultConnectors,
      defineVaultConnector({
        ...{ id: 'shed', title: 'Shed' },
        connection: Type.Object({
          place: Type.String({ title: 'Place', description: 'Where it stands.', minLength: 1, maxLength: 100 }),
          password: Type.String({ title: 'Password', minLength: 1, maxLength: 100, 'x-secret': true }),
        }),
        async test({ members }) {
          open(members['password'])
          return { account: `Shed in the ${String(members['place'])}` }
        },
        async list({ members }, { text = '' }) {
          open(members['password'])
          return { items: items.filter(({ title }) => title.includes(text)) }
        },
        async read({ members }, id) {
          open(members['password'])
          const item = items.find((each) => each.id === id)
          if (!item) throw vaultItemNotFoundError.create({ id, deleted: false })
          const fields = [
            { name: 'username', value: 'ada', secret: false },
            { name: 'password', value: shedSecret, secret: true },
          ]
          return { item: { id, title: item.title }, fields }
        },
      }),
    )
  },
})
export default plugin
