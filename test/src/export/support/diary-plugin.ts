import { definePlugin } from '@agent-service/sdk'
import { defineUserData, type UserDataRecord, userData } from '@agent-service/sdk/contracts/user-data'

type Export = (userId: string, options: { readonly signal: AbortSignal }) => AsyncIterable<UserDataRecord>

let current: Export = async function* () {
  yield* []
}

/** What the plugin exports from now on; all kernels of the process share it. */
export const setDiary = (next: Export): void => {
  current = next
}

export default definePlugin({
  manifest: { id: 'diary', apiVersion: 1, description: 'Data of users that does what a test says.', contributes: ['user.data'] },
  setup(context) {
    const data = defineUserData({
      id: 'diary',
      collections: [],
      export: (userId, options) => current(userId, options),
      erase: async () => undefined,
      size: async () => ({ records: 0, bytes: 0 }),
    })
    context.contribute(userData, data)
  },
})
