import { plant, read, type Step, send } from './step.js'

const sharedChannels = '/api/admin/channels/connections'

/**
 * Shared connections of channels. No plugin of the product has a channel here; the tests of channels
 * look at the entries of connections that are there.
 */
export const channelSteps: Readonly<Record<string, Step>> = {
  listSharedChannelConnections: read(sharedChannels),
  createSharedChannelConnection: {
    call: (world) => send(world, 'POST', sharedChannels, { channel: 'none', title: 'None', members: { token: plant(world, 'channel') } }),
    statuses: [422],
  },
  getSharedChannelConnection: { call: (world) => send(world, 'GET', `${sharedChannels}/none`), statuses: [404] },
  changeSharedChannelConnection: { call: (world) => send(world, 'PATCH', `${sharedChannels}/none`, { title: 'None' }), statuses: [404] },
  deleteSharedChannelConnection: { call: (world) => send(world, 'DELETE', `${sharedChannels}/none`), statuses: [404] },
  retrySharedChannelConnection: { call: (world) => send(world, 'POST', `${sharedChannels}/none/retry`), statuses: [404] },
  testSharedChannelConnection: { call: (world) => send(world, 'POST', `${sharedChannels}/none/test`), statuses: [404] },
  listSharedChannelDeliveries: { call: (world) => send(world, 'GET', `${sharedChannels}/none/deliveries`), statuses: [404] },
  resendSharedChannelDelivery: { call: (world) => send(world, 'POST', `${sharedChannels}/none/deliveries/none/resend`), statuses: [404] },
  listSharedChannelPairings: { call: (world) => send(world, 'GET', `${sharedChannels}/none/pairings`), statuses: [404] },
  denySharedChannelPairing: { call: (world) => send(world, 'POST', `${sharedChannels}/none/pairings/none/deny`), statuses: [404] },
  listSharedChannelSenders: { call: (world) => send(world, 'GET', `${sharedChannels}/none/senders`), statuses: [404] },
  removeSharedChannelSender: { call: (world) => send(world, 'DELETE', `${sharedChannels}/none/senders/none`), statuses: [404] },
}
