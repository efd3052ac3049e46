import { api, sharedQuery } from '../../api/index.js'

const inbox = sharedQuery({
  key: ['inbox'],
  initial: { unread: 0, devices: false },
  async read(signal) {
    const { unread: count, devices } = await api.get('/api/notifications', { query: { limit: 1 }, signal })
    return { unread: count, devices }
  },
})

/** How many notifications of the person are unread, as far as this tab knows. */
export const unread = (): number => inbox.value().unread
export const noteUnread = (count: number): void => inbox.change((before) => ({ ...before, unread: count }))
/** Whether devices of the person are told of them too. */
export const hasDevices = (): boolean => inbox.value().devices
/** Asks the service for both. The number is left as it is if it cannot be read; the screen says why. */
export const readInbox = inbox.read
/** For when nobody is signed in. */
export const forgetInbox = (): void => inbox.change(() => ({ unread: 0, devices: false }))
