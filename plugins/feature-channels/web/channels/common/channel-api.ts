import { type QueryPage as Page, pageQuery, readAll } from '@agent-service/sdk/web'
import { api, type Schemas } from '../../api/index.js'

export type Channel = Schemas['Channel']
export type Connection = Schemas['ChannelConnection']
export type Delivery = Schemas['ChannelDelivery']
export type Sender = Schemas['ChannelSender']
export type Conversation = Schemas['ChannelConversation']
export type Access = Connection['access']
export type Role = Sender['role']

interface PageQuery {
  readonly cursor?: string
  readonly limit: number
}

/** What a person does with their own connections, or an administrator with those that are shared. */
export interface ChannelApi {
  readonly isShared: boolean
  /** Where the screen of these connections is. */
  readonly home: '/channels' | '/admin/channels'
  list(signal: AbortSignal): Promise<readonly Connection[]>
  get(id: string, signal: AbortSignal): Promise<Connection>
  create(body: Schemas['CreateChannelConnection']): Promise<Connection>
  change(id: string, body: Schemas['ChangeChannelConnection']): Promise<Connection>
  remove(id: string): Promise<unknown>
  retry(id: string): Promise<Connection>
  test(id: string, signal: AbortSignal): Promise<{ readonly connection: Connection; readonly delivery: Delivery | null }>
  deliveries(id: string, query: PageQuery, signal: AbortSignal): Promise<Page<Delivery>>
  resend(id: string, deliveryId: string): Promise<Delivery>
  /** Everyone the connection knows, those who ask to be let in too. */
  senders(id: string, signal: AbortSignal): Promise<readonly Sender[]>
  deny(id: string, senderId: string): Promise<unknown>
  forget(id: string, senderId: string): Promise<unknown>
  /** Absent for shared ones: people enter their code themselves, and what they write is theirs. */
  readonly own?: {
    approve(id: string, senderId: string, role: Role): Promise<Sender>
    add(id: string, sender: Schemas['AddChannelSender']): Promise<Sender>
    conversations(id: string, query: PageQuery, signal: AbortSignal): Promise<Page<Conversation>>
  }
}

const own = '/api/channels/connections'
const ownOne = `${own}/{connection_id}` as const
const shared = '/api/admin/channels/connections'
const sharedOne = `${shared}/{connection_id}` as const
const at = (id: string) => ({ path: { connection_id: id } })

export const ownChannels: ChannelApi = {
  isShared: false,
  home: '/channels',
  list: (signal) => readAll((cursor) => api.get(own, { query: pageQuery(cursor), signal })),
  get: (id, signal) => api.get(ownOne, { ...at(id), signal }),
  create: (body) => api.post(own, { body }),
  change: (id, body) => api.patch(ownOne, { ...at(id), body }),
  remove: (id) => api.delete(ownOne, at(id)),
  retry: (id) => api.post(`${ownOne}/retry`, at(id)),
  test: (id, signal) => api.post(`${ownOne}/test`, { ...at(id), signal }),
  deliveries: (id, query, signal) => api.get(`${ownOne}/deliveries`, { ...at(id), query, signal }),
  resend: (id, delivery) => api.post(`${ownOne}/deliveries/{delivery_id}/resend`, { path: { connection_id: id, delivery_id: delivery } }),
  senders: (id, signal) => readAll((cursor) => api.get(`${ownOne}/senders`, { ...at(id), query: pageQuery(cursor), signal })),
  deny: (id, sender) => api.post(`${ownOne}/pairings/{pairing_id}/deny`, { path: { connection_id: id, pairing_id: sender } }),
  forget: (id, sender) => api.delete(`${ownOne}/senders/{sender_id}`, { path: { connection_id: id, sender_id: sender } }),
  own: {
    approve: (id, sender, role) =>
      api.post(`${ownOne}/pairings/{pairing_id}/approve`, { path: { connection_id: id, pairing_id: sender }, body: { role } }),
    add: (id, body) => api.post(`${ownOne}/senders`, { ...at(id), body }),
    conversations: (id, query, signal) => api.get(`${ownOne}/conversations`, { ...at(id), query, signal }),
  },
}

export const sharedChannels: ChannelApi = {
  isShared: true,
  home: '/admin/channels',
  list: (signal) => readAll((cursor) => api.get(shared, { query: pageQuery(cursor), signal })),
  get: (id, signal) => api.get(sharedOne, { ...at(id), signal }),
  create: (body) => api.post(shared, { body }),
  change: (id, body) => api.patch(sharedOne, { ...at(id), body }),
  remove: (id) => api.delete(sharedOne, at(id)),
  retry: (id) => api.post(`${sharedOne}/retry`, at(id)),
  test: (id, signal) => api.post(`${sharedOne}/test`, { ...at(id), signal }),
  deliveries: (id, query, signal) => api.get(`${sharedOne}/deliveries`, { ...at(id), query, signal }),
  resend: (id, delivery) =>
    api.post(`${sharedOne}/deliveries/{delivery_id}/resend`, { path: { connection_id: id, delivery_id: delivery } }),
  senders: (id, signal) => readAll((cursor) => api.get(`${sharedOne}/senders`, { ...at(id), query: pageQuery(cursor), signal })),
  deny: (id, sender) => api.post(`${sharedOne}/pairings/{pairing_id}/deny`, { path: { connection_id: id, pairing_id: sender } }),
  forget: (id, sender) => api.delete(`${sharedOne}/senders/{sender_id}`, { path: { connection_id: id, sender_id: sender } }),
}

/** The kinds of channels that active plugins have. */
export const readKinds = (signal: AbortSignal): Promise<readonly Channel[]> =>
  readAll((cursor) => api.get('/api/channels', { query: pageQuery(cursor), signal }))
